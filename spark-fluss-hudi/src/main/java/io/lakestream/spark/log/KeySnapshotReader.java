package io.lakestream.spark.log;

import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/** Reads the rows of a {@link KeySnapshot}, one for each key, in no order. Not thread-safe. */
public interface KeySnapshotReader extends Closeable {

  /**
   * Moves to the next row; false at the end.
   *
   * @throws io.lakestream.spark.error.LakestreamException {@code LOG_UNREADABLE} if the snapshot
   *     cannot be read, {@code LOG_STALLED} if it cannot be had within the idle time-out
   */
  boolean next() throws IOException;

  /** The wanted columns; the object is reused, values are valid until the next {@link #next}. */
  InternalRow row();
}
