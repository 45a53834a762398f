package io.lakestream.spark.read.columnar;

import io.lakestream.spark.lake.LakeReaderFactory;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.log.LogReader;
import io.lakestream.spark.log.LogReaderFactory;
import io.lakestream.spark.read.plan.UnionSplit.OverlaySplit;
import io.lakestream.spark.spill.SpillSpace;
import io.lakestream.spark.types.BatchIterator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * One bucket of a primary-key table: the base rows whose keys were not changed since, then the rows
 * that the changes leave. A base file, the log files on top of it and the tail are three layers of
 * one history: a row is emitted by the last layer that has its key, if that layer does not delete
 * it. A bucket that the lake has nothing of may have a key snapshot in its place. The tail is
 * folded first, then each slice streams; only the tail, up to its bounds, and the record keys of
 * one slice's log files are held in memory.
 */
final class PrimaryKeyOverlayReader implements BatchIterator {
  private final OverlaySplit split;
  private final LakeReaderFactory lake;
  private final LogReaderFactory log;
  private final StructType wanted;
  private final OverlayColumns columns;
  private final int batchSize;
  private final TailMemory memory;
  private final Supplier<SpillSpace> spillSpace;
  private final ReadCounters counters;
  private TailChanges tail;
  private SequentialBatches batches;

  /**
   * Prepares a reader; nothing is opened before the first {@link #next}.
   *
   * @param lake reads the slices; may be null if there are none
   * @param wanted the columns to hand on
   * @param keys the primary-key columns
   * @param memory how much of the tail is held in memory
   * @param spillSpace where the rest goes
   */
  PrimaryKeyOverlayReader(
      OverlaySplit split,
      LakeReaderFactory lake,
      LogReaderFactory log,
      StructType wanted,
      List<StructField> keys,
      int batchSize,
      TailMemory memory,
      Supplier<SpillSpace> spillSpace,
      ReadCounters counters) {
    this.split = split;
    this.lake = lake;
    this.log = log;
    this.wanted = wanted;
    this.columns = OverlayColumns.of(wanted, split.tail() == null ? List.of() : keys);
    this.batchSize = batchSize;
    this.memory = memory;
    this.spillSpace = spillSpace;
    this.counters = counters;
  }

  @Override
  public boolean next() throws IOException {
    if (batches == null) {
      if (split.tail() != null) {
        tail = foldTail();
      }
      batches = new SequentialBatches(tail == null ? onePass(TailKeys.NONE) : new Passes());
    }
    return batches.next();
  }

  private TailChanges foldTail() throws IOException {
    try (TailFold fold = new TailFold(columns, memory, spillSpace, 0, counters)) {
      try (LogReader reader = log.open(split.tail(), columns.read())) {
        fold.addAll(reader);
      }
      return fold.finish();
    }
  }

  /** The passes over the lake, each with its keys, then the rows that the tail leaves. */
  private final class Passes implements Iterator<SequentialBatches.Opener> {
    private Iterator<SequentialBatches.Opener> pass = Collections.emptyIterator();
    private int passed;
    private boolean ended;

    @Override
    public boolean hasNext() {
      return !ended;
    }

    @Override
    public SequentialBatches.Opener next() {
      if (ended) {
        throw new NoSuchElementException();
      }
      return this::open;
    }

    private BatchIterator open() throws IOException {
      boolean nothingBefore = split.slices().isEmpty() && split.keySnapshot() == null;
      while (!pass.hasNext() && !nothingBefore && passed < tail.passes()) {
        // The keys of one pass at a time: the old ones must be free before there are new ones.
        pass = Collections.emptyIterator();
        pass = onePass(tail.keys(passed++));
      }
      if (pass.hasNext()) {
        return pass.next().open();
      }
      pass = Collections.emptyIterator();
      ended = true;
      return tail.survivors(wanted, batchSize);
    }
  }

  private Iterator<SequentialBatches.Opener> onePass(TailKeys tailKeys) {
    List<SequentialBatches.Opener> openers = new ArrayList<>();
    if (split.keySnapshot() != null) {
      openers.add(() -> openKeySnapshot(tailKeys));
    }
    for (LakeSlice slice : split.slices()) {
      Set<UTF8String> changedKeys = new HashSet<>();
      if (slice.hasLogFiles()) {
        openers.add(() -> openLogFiles(slice, tailKeys, changedKeys));
      }
      if (slice.baseFile() != null) {
        openers.add(() -> openBaseFile(slice, tailKeys, changedKeys));
      }
    }
    return openers.iterator();
  }

  private BatchIterator openKeySnapshot(TailKeys tailKeys) throws IOException {
    return new KeySnapshotBatches(
        log.openKeySnapshot(split.tail(), split.keySnapshot(), columns.read()),
        tailKeys,
        columns,
        wanted,
        batchSize,
        counters);
  }

  private BatchIterator openLogFiles(
      LakeSlice slice, TailKeys tailKeys, Set<UTF8String> changedKeys) throws IOException {
    return new LakeChangeBatches(
        lake.openChanges(slice, columns.read()),
        tailKeys,
        changedKeys,
        columns,
        wanted,
        batchSize,
        counters);
  }

  private BatchIterator openBaseFile(
      LakeSlice slice, TailKeys tailKeys, Set<UTF8String> changedKeys) throws IOException {
    BatchIterator base =
        lake.openBase(
            slice.baseFile(), 0, slice.baseFile().length(), columns.read(), !changedKeys.isEmpty());
    return new OverriddenBaseBatches(
        new CountedLakeBatches(base, counters), wanted.length(), tailKeys, changedKeys, counters);
  }

  @Override
  public ColumnarBatch get() {
    return batches.get();
  }

  @Override
  public void close() throws IOException {
    try {
      if (batches != null) {
        batches.close();
      }
    } finally {
      if (tail != null) {
        tail.close();
      }
    }
  }
}
