package io.lakestream.spark.read.columnar;

import io.lakestream.spark.spill.SpillSpace;
import io.lakestream.spark.spill.SpilledRows;
import io.lakestream.spark.types.BatchIterator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * Changes on local disk, divided by bits of their key's hash. A pass over the lake holds the keys
 * of as many parts as the memory's bound allows, so that mostly one pass is enough. The rows that
 * are left are folded part by part, and a part that is still too large is divided again. Not
 * thread-safe.
 */
final class SpilledTail implements TailChanges {
  static final int PARTS = 64;
  private static final int BITS_PER_LEVEL = 6;

  /** With five levels of six bits nearly the whole hash of a key is used up. */
  static final int LEVELS = Integer.SIZE / BITS_PER_LEVEL;

  /** What a key takes in an index, beside its bytes. */
  private static final long KEY_OVERHEAD = 128;

  private final OverlayColumns columns;
  private final TailMemory memory;
  private final Supplier<SpillSpace> spillSpace;
  private final int level;
  private final SpilledRows rows;
  private final ReadCounters counters;
  private final UnsafeProjection keyOf;
  private final long[] keyBytes = new long[PARTS];

  /** Where the parts of each pass begin; made when all is written. */
  private List<Integer> passStarts;

  SpilledTail(
      OverlayColumns columns,
      TailMemory memory,
      Supplier<SpillSpace> spillSpace,
      int level,
      SpilledRows rows,
      ReadCounters counters) {
    this.columns = columns;
    this.memory = memory;
    this.spillSpace = spillSpace;
    this.level = level;
    this.rows = rows;
    this.counters = counters;
    this.keyOf = Projections.of(columns.read(), columns.keyOrdinals());
  }

  void write(UnsafeRow row, boolean deleted) throws IOException {
    UnsafeRow key = keyOf.apply(row);
    int part = partOf(key);
    keyBytes[part] += KEY_OVERHEAD + key.getSizeInBytes();
    counters.spilledBytes += rows.write(part, row, deleted ? 1 : 0);
  }

  private int partOf(UnsafeRow key) {
    return (key.hashCode() >>> (level * BITS_PER_LEVEL)) & (PARTS - 1);
  }

  private List<Integer> passStarts() {
    if (passStarts == null) {
      passStarts = new ArrayList<>(List.of(0));
      long held = 0;
      for (int part = 0; part < PARTS; part++) {
        if (held > 0 && held + keyBytes[part] > memory.bytes()) {
          passStarts.add(part);
          held = 0;
        }
        held += keyBytes[part];
      }
    }
    return passStarts;
  }

  @Override
  public int passes() {
    return passStarts().size();
  }

  @Override
  public TailKeys keys(int pass) throws IOException {
    int first = passStarts().get(pass);
    int end = pass + 1 < passes() ? passStarts().get(pass + 1) : PARTS;
    LatestChangeIndex index = LatestChangeIndex.create(columns.read(), columns.keyOrdinals());
    for (int part = first; part < end; part++) {
      rows.read(part, columns.read().length(), (row, marks) -> index.add(row));
    }
    boolean all = first == 0 && end == PARTS;
    return row -> {
      if (!all) {
        int part = partOf(keyOf.apply(row));
        if (part < first || part >= end) {
          return Verdict.OTHER_PASS;
        }
      }
      return index.find(row) >= 0 ? Verdict.OVERRIDDEN : Verdict.KEPT;
    };
  }

  @Override
  public BatchIterator survivors(StructType wanted, int batchSize) {
    return new SequentialBatches(
        IntStream.range(0, PARTS)
            .<SequentialBatches.Opener>mapToObj(part -> () -> survivors(part, wanted, batchSize))
            .iterator());
  }

  private BatchIterator survivors(int part, StructType wanted, int batchSize) throws IOException {
    try (TailFold fold = new TailFold(columns, memory, spillSpace, level + 1, counters)) {
      rows.read(part, columns.read().length(), (row, marks) -> fold.add(row, marks[0] == 1));
      rows.delete(part);
      TailChanges changes = fold.finish();
      return new ClosingBatches(changes.survivors(wanted, batchSize), changes);
    }
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
