package io.lakestream.spark.read.columnar;

import io.lakestream.spark.types.BatchIterator;
import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Batches that close what they come from when they are closed. */
final class ClosingBatches implements BatchIterator {
  private final BatchIterator batches;
  private final Closeable source;

  ClosingBatches(BatchIterator batches, Closeable source) {
    this.batches = batches;
    this.source = source;
  }

  @Override
  public boolean next() throws IOException {
    return batches.next();
  }

  @Override
  public ColumnarBatch get() {
    return batches.get();
  }

  @Override
  public void close() throws IOException {
    try {
      batches.close();
    } finally {
      source.close();
    }
  }
}
