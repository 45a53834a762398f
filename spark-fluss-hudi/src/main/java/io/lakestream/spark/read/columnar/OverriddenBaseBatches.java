package io.lakestream.spark.read.columnar;

import io.lakestream.spark.types.BatchIterator;
import java.io.IOException;
import java.util.Set;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The rows of a base file that no later change overrides: lake changes are told by the record key,
 * which is the last column of the source, tail changes by the typed key columns. Rows are left out
 * by a selection, nothing is copied.
 */
final class OverriddenBaseBatches implements BatchIterator {
  private final BatchIterator source;
  private final int wanted;
  private final TailKeys tail;
  private final Set<UTF8String> changedKeys;
  private final ReadCounters counters;
  private int[] selection = new int[0];
  private SelectedColumnVector[] selected;
  private ColumnarBatch current;

  /**
   * Wraps a base file's batches.
   *
   * @param wanted how many columns, from the left, are handed on
   * @param tail the keys that the tail changes
   * @param changedKeys the record keys that the slice's log files change; if empty, the source has
   *     no record key column
   */
  OverriddenBaseBatches(
      BatchIterator source,
      int wanted,
      TailKeys tail,
      Set<UTF8String> changedKeys,
      ReadCounters counters) {
    this.source = source;
    this.wanted = wanted;
    this.tail = tail;
    this.changedKeys = changedKeys;
    this.counters = counters;
  }

  @Override
  public boolean next() throws IOException {
    if (!source.next()) {
      return false;
    }
    ColumnarBatch batch = source.get();
    int kept = select(batch);
    current = new ColumnarBatch(columns(batch, kept < batch.numRows()), kept);
    return true;
  }

  private int select(ColumnarBatch batch) {
    int rows = batch.numRows();
    if (selection.length < rows) {
      selection = new int[rows];
    }
    ColumnVector recordKeys = changedKeys.isEmpty() ? null : batch.column(batch.numCols() - 1);
    int kept = 0;
    for (int row = 0; row < rows; row++) {
      Verdict verdict = tail == TailKeys.NONE ? Verdict.KEPT : tail.of(batch.getRow(row));
      if (verdict == Verdict.KEPT
          && recordKeys != null
          && changedKeys.contains(recordKeys.getUTF8String(row))) {
        verdict = Verdict.OVERRIDDEN;
      }
      switch (verdict) {
        case KEPT -> selection[kept++] = row;
        case OVERRIDDEN -> counters.overriddenRows++;
        case OTHER_PASS -> {
          // Another pass emits the row or counts it.
        }
      }
    }
    return kept;
  }

  private ColumnVector[] columns(ColumnarBatch batch, boolean selecting) {
    ColumnVector[] columns = new ColumnVector[wanted];
    if (selecting && !selectsFrom(batch)) {
      selected = new SelectedColumnVector[wanted];
      for (int i = 0; i < wanted; i++) {
        selected[i] = new SelectedColumnVector(batch.column(i));
      }
    }
    for (int i = 0; i < wanted; i++) {
      if (selecting) {
        selected[i].select(selection);
        columns[i] = selected[i];
      } else {
        columns[i] = batch.column(i);
      }
    }
    return columns;
  }

  private boolean selectsFrom(ColumnarBatch batch) {
    if (selected == null) {
      return false;
    }
    for (int i = 0; i < wanted; i++) {
      if (selected[i].source() != batch.column(i)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public ColumnarBatch get() {
    return current;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
