package io.lakestream.spark.read.columnar;

import io.lakestream.spark.types.BatchIterator;
import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.types.StructType;

/**
 * The last change of every key in a bucket's tail, in memory or on disk. The lake's rows are read
 * in passes: each row gets {@link Verdict#OTHER_PASS} in all of them but one. Not thread-safe.
 */
interface TailChanges extends Closeable {

  /** How often the lake must be read, at least once. */
  int passes();

  /** The changed keys of a pass, from 0. */
  TailKeys keys(int pass) throws IOException;

  /**
   * The rows that the tail leaves. Closing them does not close the changes.
   *
   * @param wanted the columns to hand on, the first ones of the rows
   */
  BatchIterator survivors(StructType wanted, int batchSize) throws IOException;
}
