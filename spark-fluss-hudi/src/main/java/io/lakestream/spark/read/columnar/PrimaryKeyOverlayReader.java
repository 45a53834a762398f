package io.lakestream.spark.read.columnar;

import io.lakestream.spark.lake.LakeReaderFactory;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.log.LogReader;
import io.lakestream.spark.log.LogReaderFactory;
import io.lakestream.spark.read.plan.UnionSplit.OverlaySplit;
import io.lakestream.spark.types.BatchIterator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * One bucket of a primary-key table: the base rows whose keys were not changed since, then the rows
 * that the changes leave. A base file, the log files on top of it and the tail are three layers of
 * one history: a row is emitted by the last layer that has its key, if that layer does not delete
 * it. The tail is folded first, then each slice streams; only the tail and the record keys of one
 * slice's log files are held in memory.
 */
final class PrimaryKeyOverlayReader implements BatchIterator {
  private final OverlaySplit split;
  private final LakeReaderFactory lake;
  private final LogReaderFactory log;
  private final StructType wanted;
  private final OverlayColumns columns;
  private final int batchSize;
  private final ReadCounters counters;
  private SequentialBatches batches;

  /**
   * Prepares a reader; nothing is opened before the first {@link #next}.
   *
   * @param lake reads the slices; may be null if there are none
   * @param wanted the columns to hand on
   * @param keys the primary-key columns
   */
  PrimaryKeyOverlayReader(
      OverlaySplit split,
      LakeReaderFactory lake,
      LogReaderFactory log,
      StructType wanted,
      List<StructField> keys,
      int batchSize,
      ReadCounters counters) {
    this.split = split;
    this.lake = lake;
    this.log = log;
    this.wanted = wanted;
    this.columns = OverlayColumns.of(wanted, split.tail() == null ? List.of() : keys);
    this.batchSize = batchSize;
    this.counters = counters;
  }

  @Override
  public boolean next() throws IOException {
    if (batches == null) {
      batches = open();
    }
    return batches.next();
  }

  private SequentialBatches open() throws IOException {
    LatestChanges tail = split.tail() == null ? null : foldTail();
    List<SequentialBatches.Opener> openers = new ArrayList<>();
    for (LakeSlice slice : split.slices()) {
      Set<UTF8String> changedKeys = new HashSet<>();
      if (slice.hasLogFiles()) {
        openers.add(() -> openLogFiles(slice, tail, changedKeys));
      }
      if (slice.baseFile() != null) {
        openers.add(() -> openBaseFile(slice, tail, changedKeys));
      }
    }
    if (tail != null) {
      openers.add(() -> new SurvivorBatches(tail.survivors(), wanted, batchSize));
    }
    return new SequentialBatches(openers.iterator());
  }

  private LatestChanges foldTail() throws IOException {
    LatestChanges changes = new LatestChanges(columns);
    try (LogReader reader = log.open(split.tail(), columns.read())) {
      changes.fold(reader, counters);
    }
    return changes;
  }

  private BatchIterator openLogFiles(
      LakeSlice slice, LatestChanges tail, Set<UTF8String> changedKeys) throws IOException {
    return new LakeChangeBatches(
        lake.openChanges(slice, columns.read()),
        tail,
        changedKeys,
        columns,
        wanted,
        batchSize,
        counters);
  }

  private BatchIterator openBaseFile(
      LakeSlice slice, LatestChanges tail, Set<UTF8String> changedKeys) throws IOException {
    BatchIterator base =
        lake.openBase(
            slice.baseFile(), 0, slice.baseFile().length(), columns.read(), !changedKeys.isEmpty());
    return new OverriddenBaseBatches(
        new CountedLakeBatches(base, counters), wanted.length(), tail, changedKeys, counters);
  }

  @Override
  public ColumnarBatch get() {
    return batches.get();
  }

  @Override
  public void close() throws IOException {
    if (batches != null) {
      batches.close();
    }
  }
}
