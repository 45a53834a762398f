package io.lakestream.spark.read.columnar;

/** What a tail says of a row of the lake. */
enum Verdict {
  /** No change of the row's key: the row is true. */
  KEPT,
  /** The key was changed or deleted since. */
  OVERRIDDEN,
  /** The key is for another pass over the lake. */
  OTHER_PASS
}
