package io.lakestream.spark.read.columnar;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * The one place where rows become batches. Values are copied, so a row may be reused after {@link
 * #add}. The batch of {@link #build} is valid until the next {@link #reset}. Not thread-safe.
 */
final class RowBatchBuilder implements AutoCloseable {
  private final WritableColumnVector[] vectors;
  private final RowToColumnConverter converter;
  private final int capacity;
  private final ColumnarBatch batch;
  private int rows;

  RowBatchBuilder(StructType schema, int capacity) {
    this.vectors = OnHeapColumnVector.allocateColumns(capacity, schema);
    this.converter = new RowToColumnConverter(schema);
    this.capacity = capacity;
    ColumnVector[] columns = new ColumnVector[vectors.length];
    System.arraycopy(vectors, 0, columns, 0, vectors.length);
    this.batch = new ColumnarBatch(columns);
  }

  void reset() {
    rows = 0;
    for (WritableColumnVector vector : vectors) {
      vector.reset();
    }
  }

  void add(InternalRow row) {
    converter.convert(row, vectors);
    rows++;
  }

  boolean isFull() {
    return rows >= capacity;
  }

  boolean isEmpty() {
    return rows == 0;
  }

  ColumnarBatch build() {
    batch.setNumRows(rows);
    return batch;
  }

  @Override
  public void close() {
    batch.close();
  }
}
