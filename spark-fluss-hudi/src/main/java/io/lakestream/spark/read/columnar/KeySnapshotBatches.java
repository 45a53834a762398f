package io.lakestream.spark.read.columnar;

import io.lakestream.spark.log.KeySnapshotReader;
import io.lakestream.spark.types.BatchIterator;
import java.io.IOException;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** The rows of a key snapshot, less those that the tail overrides. */
final class KeySnapshotBatches implements BatchIterator {
  private final KeySnapshotReader reader;
  private final TailKeys tail;
  private final UnsafeProjection toWanted;
  private final RowBatchBuilder builder;
  private final ReadCounters counters;

  /**
   * @param reader reads the columns of the overlay
   * @param tail the keys that the tail changes
   */
  KeySnapshotBatches(
      KeySnapshotReader reader,
      TailKeys tail,
      OverlayColumns columns,
      StructType wanted,
      int batchSize,
      ReadCounters counters) {
    this.reader = reader;
    this.tail = tail;
    this.toWanted = Projections.of(columns.read(), Projections.first(columns.wanted()));
    this.builder = new RowBatchBuilder(wanted, batchSize);
    this.counters = counters;
  }

  @Override
  public boolean next() throws IOException {
    builder.reset();
    while (!builder.isFull() && reader.next()) {
      counters.keySnapshotRows++;
      switch (tail.of(reader.row())) {
        case KEPT -> builder.add(toWanted.apply(reader.row()));
        case OVERRIDDEN -> counters.overriddenRows++;
        case OTHER_PASS -> {
          // Another pass emits the row or counts it.
        }
      }
    }
    return !builder.isEmpty();
  }

  @Override
  public ColumnarBatch get() {
    return builder.build();
  }

  @Override
  public void close() throws IOException {
    try {
      reader.close();
    } finally {
      builder.close();
    }
  }
}
