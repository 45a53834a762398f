package io.lakestream.spark.read.columnar;

import io.lakestream.spark.types.BatchIterator;
import java.io.IOException;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Batches until there are enough rows. The last one is not cut: Spark takes what it wants of it.
 */
final class LimitedBatches implements BatchIterator {
  private final BatchIterator source;
  private long left;

  LimitedBatches(BatchIterator source, int enough) {
    this.source = source;
    this.left = enough;
  }

  @Override
  public boolean next() throws IOException {
    if (left <= 0 || !source.next()) {
      return false;
    }
    left -= source.get().numRows();
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
