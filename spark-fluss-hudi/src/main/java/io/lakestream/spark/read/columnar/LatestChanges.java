package io.lakestream.spark.read.columnar;

import io.lakestream.spark.log.LogReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The last change of every key in a bucket's tail. It is built from all changes, never from
 * filtered ones: a key that is not in it keeps its lake row. Not thread-safe.
 */
final class LatestChanges {
  private final LatestChangeIndex index;
  private final UnsafeProjection toWanted;

  /** By key number: the surviving row's wanted columns, or null if the key was deleted. */
  private final List<UnsafeRow> rows = new ArrayList<>();

  LatestChanges(OverlayColumns columns) {
    this.index = LatestChangeIndex.create(columns.read(), columns.keyOrdinals());
    this.toWanted = Projections.of(columns.read(), Projections.first(columns.wanted()));
  }

  /** Folds all records of the reader, in offset order. */
  void fold(LogReader reader, ReadCounters counters) throws IOException {
    while (reader.next()) {
      counters.logRows++;
      switch (reader.kind()) {
        case UPDATE_BEFORE -> {
          // The row as it was says nothing about the row as it is.
        }
        case INSERT, UPDATE_AFTER -> put(reader.row(), toWanted.apply(reader.row()).copy());
        case DELETE -> put(reader.row(), null);
      }
    }
    counters.logBytesFetched += reader.bytesFetched();
  }

  private void put(InternalRow key, UnsafeRow row) {
    int number = index.add(key);
    if (number == rows.size()) {
      rows.add(row);
    } else {
      rows.set(number, row);
    }
  }

  /** Whether the tail has a change of this row's key, so that the row is no longer true. */
  boolean override(InternalRow row) {
    return index.find(row) >= 0;
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The rows that the tail leaves. */
  Iterator<UnsafeRow> survivors() {
    return rows.stream().filter(Objects::nonNull).iterator();
  }
}
