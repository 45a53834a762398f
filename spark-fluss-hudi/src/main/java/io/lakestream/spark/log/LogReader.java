package io.lakestream.spark.log;

import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Reads a range record by record, in offset order. The range ends by position, not by records seen:
 * offsets may hold no record. Not thread-safe.
 */
public interface LogReader extends Closeable {

  /**
   * Moves to the next record; false when the position has reached the stop offset.
   *
   * @throws io.lakestream.spark.error.LakestreamException {@code LOG_STALLED} if the position does
   *     not move within the idle time-out, {@code LOG_GAP} if the log begins after it, {@code
   *     LOG_UNREADABLE} if the partition was dropped or the answer cannot be read
   */
  boolean next() throws IOException;

  ChangeKind kind();

  long offset();

  /** The commit timestamp of the record, in milliseconds since the epoch. */
  long timestamp();

  /** The wanted columns; the object is reused, values are valid until the next {@link #next}. */
  InternalRow row();

  /** Bytes of this reader's fetches so far, as they came from the server. */
  long bytesFetched();
}
