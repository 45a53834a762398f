package io.lakestream.spark.log;

import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/** Appends to a log table or upserts into a primary-key table. Not thread-safe. */
public interface LogWriter extends Closeable {

  /** Hands a row over; the row object may be reused afterwards. */
  void write(InternalRow row) throws IOException;

  /**
   * Returns when every row handed over is acknowledged.
   *
   * @throws io.lakestream.spark.error.LakestreamException {@code WRITE_FAILED} if any was not
   */
  void flush() throws IOException;
}
