package io.lakestream.spark.read.columnar;

import io.lakestream.spark.types.BatchIterator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * The last change of every key, in memory. It is built from all changes, never from filtered ones:
 * a key that is not in it keeps its lake row. Not thread-safe.
 */
final class LatestChanges implements TailChanges {
  /** What a change takes in memory beside the bytes of its row. */
  private static final long CHANGE_OVERHEAD = 128;

  private final OverlayColumns columns;
  private final LatestChangeIndex index;

  /** By key number: the last row, of which only the key counts if it was deleted. */
  private final List<UnsafeRow> rows = new ArrayList<>();

  private final BitSet deleted = new BitSet();
  private long bytes;

  LatestChanges(OverlayColumns columns) {
    this.columns = columns;
    this.index = LatestChangeIndex.create(columns.read(), columns.keyOrdinals());
  }

  /** Takes a change; the row is kept. */
  void put(UnsafeRow row, boolean isDeleted) {
    int number = index.add(row);
    if (number == rows.size()) {
      rows.add(row);
      bytes += CHANGE_OVERHEAD;
    } else {
      bytes -= rows.set(number, row).getSizeInBytes();
    }
    bytes += row.getSizeInBytes();
    deleted.set(number, isDeleted);
  }

  boolean exceeds(TailMemory memory) {
    return rows.size() > memory.rows() || bytes > memory.bytes();
  }

  /** What is done with a change. */
  interface Consumer {
    void accept(UnsafeRow row, boolean deleted) throws IOException;
  }

  void forEach(Consumer consumer) throws IOException {
    for (int number = 0; number < rows.size(); number++) {
      consumer.accept(rows.get(number), deleted.get(number));
    }
  }

  @Override
  public int passes() {
    return 1;
  }

  @Override
  public TailKeys keys(int pass) {
    return row -> index.find(row) >= 0 ? Verdict.OVERRIDDEN : Verdict.KEPT;
  }

  @Override
  public BatchIterator survivors(StructType wanted, int batchSize) {
    UnsafeProjection toWanted = Projections.of(columns.read(), Projections.first(columns.wanted()));
    return new SurvivorBatches(
        IntStream.range(0, rows.size())
            .filter(number -> !deleted.get(number))
            .mapToObj(number -> toWanted.apply(rows.get(number)))
            .iterator(),
        wanted,
        batchSize);
  }

  @Override
  public void close() {}
}
