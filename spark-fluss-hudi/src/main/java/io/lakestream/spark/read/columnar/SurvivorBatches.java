package io.lakestream.spark.read.columnar;

import io.lakestream.spark.types.BatchIterator;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Rows held in memory as batches. */
final class SurvivorBatches implements BatchIterator {
  private final Iterator<? extends InternalRow> rows;
  private final RowBatchBuilder builder;

  SurvivorBatches(Iterator<? extends InternalRow> rows, StructType schema, int batchSize) {
    this.rows = rows;
    this.builder = new RowBatchBuilder(schema, batchSize);
  }

  @Override
  public boolean next() {
    builder.reset();
    while (rows.hasNext() && !builder.isFull()) {
      builder.add(rows.next());
    }
    return !builder.isEmpty();
  }

  @Override
  public ColumnarBatch get() {
    return builder.build();
  }

  @Override
  public void close() {
    builder.close();
  }
}
