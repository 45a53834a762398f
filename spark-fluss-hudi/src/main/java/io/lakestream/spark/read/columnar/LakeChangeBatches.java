package io.lakestream.spark.read.columnar;

import io.lakestream.spark.lake.LakeChanges;
import io.lakestream.spark.types.BatchIterator;
import java.io.IOException;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The live rows of a slice's log files, less those that the tail overrides. On the way it notes the
 * record key of every change, by which the base file is read afterwards.
 */
final class LakeChangeBatches implements BatchIterator {
  private final LakeChanges changes;
  private final TailKeys tail;
  private final Set<UTF8String> changedKeys;
  private final UnsafeProjection toWanted;
  private final RowBatchBuilder builder;
  private final ReadCounters counters;

  LakeChangeBatches(
      LakeChanges changes,
      TailKeys tail,
      Set<UTF8String> changedKeys,
      OverlayColumns columns,
      StructType wanted,
      int batchSize,
      ReadCounters counters) {
    this.changes = changes;
    this.tail = tail;
    this.changedKeys = changedKeys;
    this.toWanted = Projections.of(columns.read(), Projections.first(columns.wanted()));
    this.builder = new RowBatchBuilder(wanted, batchSize);
    this.counters = counters;
  }

  @Override
  public boolean next() throws IOException {
    builder.reset();
    while (!builder.isFull() && changes.next()) {
      changedKeys.add(UTF8String.fromString(changes.recordKey()));
      if (!changes.deleted()) {
        addUnlessOverridden(changes.row());
      }
    }
    return !builder.isEmpty();
  }

  private void addUnlessOverridden(InternalRow row) {
    counters.lakeRows++;
    switch (tail.of(row)) {
      case KEPT -> builder.add(toWanted.apply(row));
      case OVERRIDDEN -> counters.overriddenRows++;
      case OTHER_PASS -> {
        // Another pass emits the row or counts it.
      }
    }
  }

  @Override
  public ColumnarBatch get() {
    return builder.build();
  }

  @Override
  public void close() throws IOException {
    try {
      changes.close();
    } finally {
      builder.close();
    }
  }
}
