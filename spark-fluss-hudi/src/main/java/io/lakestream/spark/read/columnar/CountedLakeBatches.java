package io.lakestream.spark.read.columnar;

import io.lakestream.spark.types.BatchIterator;
import java.io.IOException;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Base-file batches, counted as they pass. */
final class CountedLakeBatches implements BatchIterator {
  private final BatchIterator source;
  private final ReadCounters counters;

  CountedLakeBatches(BatchIterator source, ReadCounters counters) {
    this.source = source;
    this.counters = counters;
  }

  @Override
  public boolean next() throws IOException {
    if (!source.next()) {
      return false;
    }
    counters.lakeRows += source.get().numRows();
    return true;
  }

  @Override
  public ColumnarBatch get() {
    return source.get();
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
