package io.lakestream.spark.types;

import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * A stream of batches. The iterator owns every batch it hands out: a batch is valid until the next
 * call of {@link #next} or {@link #close}, and whoever receives it must not close it. Not
 * thread-safe.
 */
public interface BatchIterator extends Closeable {

  /** Moves to the next batch; false at the end, then and ever after. */
  boolean next() throws IOException;

  /** The current batch, the same on each call until the next {@link #next}. May have 0 rows. */
  ColumnarBatch get();

  /** Frees everything, also the current batch. Closing twice is legal. */
  @Override
  void close() throws IOException;
}
