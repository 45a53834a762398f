package io.lakestream.spark.it.harness;

/** Where the rows of a case lie when it is read; no answer may depend on it. */
public enum Placement {
  /** Nothing was ever tiered. */
  ALL_TAIL,
  /** One round after all changes. */
  ALL_LAKE,
  /** Rounds after the base and the lake changes, none after the tail changes. */
  SPLIT,
  /** A round after each part, then a compaction of primary-key tables. */
  COMPACTED
}
