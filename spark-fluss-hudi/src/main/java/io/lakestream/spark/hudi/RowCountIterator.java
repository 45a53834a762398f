package io.lakestream.spark.hudi;

import io.lakestream.spark.types.BatchIterator;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Batches without columns for a known number of rows; no data page is read for them. */
final class RowCountIterator implements BatchIterator {
  private static final int BATCH_ROWS = 1 << 16;

  private final ColumnarBatch batch = new ColumnarBatch(new ColumnVector[0]);
  private long remaining;

  RowCountIterator(long rows) {
    this.remaining = rows;
  }

  @Override
  public boolean next() {
    if (remaining == 0) {
      return false;
    }
    int rows = (int) Math.min(remaining, BATCH_ROWS);
    batch.setNumRows(rows);
    remaining -= rows;
    return true;
  }

  @Override
  public ColumnarBatch get() {
    return batch;
  }

  @Override
  public void close() {
    remaining = 0;
  }
}
