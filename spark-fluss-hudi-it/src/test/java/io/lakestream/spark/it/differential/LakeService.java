package io.lakestream.spark.it.differential;

/** What can be done to a lake, by us or by Hudi's own tools. */
enum LakeService {
  TIER,
  /** Compaction of a primary-key table, clustering of a log table. */
  REWRITE,
  CLEAN,
  /** A compaction or clustering is planned, and not done. */
  PLAN_REWRITE_BY_HUDI,
  /** A planned compaction is begun, and not done. */
  BEGIN_REWRITE_BY_HUDI,
  FINISH_REWRITE_BY_HUDI,
  CLEAN_BY_HUDI,
  ARCHIVE_BY_HUDI
}
