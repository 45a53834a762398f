package io.lakestream.spark.read.columnar;

import io.lakestream.spark.log.LogReader;
import io.lakestream.spark.spill.SpillSpace;
import io.lakestream.spark.spill.SpilledRows;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Folds the changes of a tail to the last one of each key. Beyond the memory's bounds all that is
 * held goes to disk, divided by key, and so again and again. Not thread-safe.
 */
final class TailFold implements Closeable {
  private final OverlayColumns columns;
  private final TailMemory memory;
  private final Supplier<SpillSpace> spillSpace;
  private final int level;
  private final ReadCounters counters;
  private LatestChanges changes;
  private SpilledTail spilled;

  /**
   * @param spillSpace where changes go beyond the bounds; asked for when it comes to that
   * @param level how often these changes were divided by key already
   */
  TailFold(
      OverlayColumns columns,
      TailMemory memory,
      Supplier<SpillSpace> spillSpace,
      int level,
      ReadCounters counters) {
    this.columns = columns;
    this.memory = memory;
    this.spillSpace = spillSpace;
    this.level = level;
    this.counters = counters;
    this.changes = new LatestChanges(columns);
  }

  /** Folds all records of the reader, in offset order. */
  void addAll(LogReader reader) throws IOException {
    UnsafeProjection whole = Projections.all(columns.read());
    UnsafeProjection keyAlone = Projections.only(columns.read(), columns.keyOrdinals());
    while (reader.next()) {
      counters.logRows++;
      switch (reader.kind()) {
        case UPDATE_BEFORE -> {
          // The row as it was says nothing about the row as it is.
        }
        case INSERT, UPDATE_AFTER -> add(whole.apply(reader.row()).copy(), false);
        case DELETE -> add(keyAlone.apply(reader.row()).copy(), true);
      }
    }
    counters.logBytesFetched += reader.bytesFetched();
  }

  /** Takes a change; the row is kept. */
  void add(UnsafeRow row, boolean deleted) throws IOException {
    changes.put(row, deleted);
    if (changes.exceeds(memory) && level < SpilledTail.LEVELS) {
      spill();
    }
  }

  private void spill() throws IOException {
    if (spilled == null) {
      SpilledRows rows = new SpilledRows(spillSpace.get(), SpilledTail.PARTS, 1);
      spilled = new SpilledTail(columns, memory, spillSpace, level, rows, counters);
    }
    changes.forEach(spilled::write);
    changes = new LatestChanges(columns);
  }

  /** The outcome, which the caller must close; nothing can be added afterwards. */
  TailChanges finish() throws IOException {
    if (spilled == null) {
      return changes;
    }
    spill();
    SpilledTail outcome = spilled;
    spilled = null;
    return outcome;
  }

  @Override
  public void close() throws IOException {
    if (spilled != null) {
      spilled.close();
    }
  }
}
