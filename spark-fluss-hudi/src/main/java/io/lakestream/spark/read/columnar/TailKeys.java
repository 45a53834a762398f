package io.lakestream.spark.read.columnar;

import org.apache.spark.sql.catalyst.InternalRow;

/** The changed keys of a tail, or those of one pass. Not thread-safe. */
@FunctionalInterface
interface TailKeys {
  /** Where nothing was changed. */
  TailKeys NONE = row -> Verdict.KEPT;

  Verdict of(InternalRow row);
}
