package io.lakestream.spark.lake;

import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Writes the rows of one split. A log table takes any number of rows; a primary-key table takes at
 * most one change per key. Not thread-safe.
 */
public interface LakeBucketWriter extends Closeable {

  /**
   * Writes a row; on a primary-key table it replaces the row of the same key.
   *
   * @param row all declared columns in table order, in Spark's representation; may be reused
   * @param offset the log offset of the row
   * @param timestamp the log's timestamp of the row, in milliseconds since the epoch
   */
  void write(InternalRow row, long offset, long timestamp) throws IOException;

  /**
   * Deletes the key of a primary-key table. In a new file group this does nothing.
   *
   * @param row all declared columns in table order; only the key columns are looked at
   */
  void delete(InternalRow row) throws IOException;

  /** Completes the files; call it once, before {@link #close}. */
  LakeWriteResult finish() throws IOException;

  /** Frees everything. Without {@link #finish} the files are left behind, outside any commit. */
  @Override
  void close() throws IOException;
}
