package io.lakestream.spark.log;

/** What a log record does to the table. */
public enum ChangeKind {
  /** A row of a log table, or a new key. */
  INSERT,
  /** The row before an update; never a row of the table. */
  UPDATE_BEFORE,
  /** The row after an update; an upsert where no insert came before. */
  UPDATE_AFTER,
  /** The key is gone; the row is the one that was deleted. */
  DELETE
}
