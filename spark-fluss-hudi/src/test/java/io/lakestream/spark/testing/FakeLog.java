package io.lakestream.spark.testing;

import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.KeySnapshotReader;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.log.LogReader;
import io.lakestream.spark.log.LogReaderFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;

/** A log held in memory; an offset may hold no record. */
public final class FakeLog implements LogReaderFactory {
  private record Entry(long offset, ChangeKind kind, Object[] values) {}

  private final StructType schema;
  private final List<Entry> entries = new ArrayList<>();
  private long end;

  private final List<Object[]> keySnapshot = new ArrayList<>();

  /** The columns asked for at each opening. */
  public final List<List<String>> openedColumns = new ArrayList<>();

  /** After so many records a reader fails. */
  public int failAfterRecords = Integer.MAX_VALUE;

  /** How many readers are open now. */
  public int openReaders;

  public FakeLog(StructType schema) {
    this.schema = schema;
  }

  public FakeLog add(ChangeKind kind, Object... values) {
    entries.add(new Entry(end++, kind, values));
    return this;
  }

  /** An offset without a record, as a change without effect leaves it. */
  public FakeLog addEmptyOffset() {
    end++;
    return this;
  }

  /** Rows of the key snapshot, whatever its id. */
  public FakeLog keySnapshot(Object[]... rows) {
    keySnapshot.addAll(List.of(rows));
    return this;
  }

  public long end() {
    return end;
  }

  @Override
  public LogReader open(LogRange range, StructType columns) {
    openedColumns.add(List.of(columns.fieldNames()));
    openReaders++;
    int[] ordinals = new int[columns.length()];
    for (int i = 0; i < ordinals.length; i++) {
      ordinals[i] = schema.fieldIndex(columns.apply(i).name());
    }
    List<Entry> wanted =
        entries.stream()
            .filter(entry -> entry.offset() >= range.start() && entry.offset() < range.stop())
            .toList();
    return new LogReader() {
      private int position = -1;

      @Override
      public boolean next() throws IOException {
        if (position + 1 == failAfterRecords) {
          throw new IOException("after " + failAfterRecords);
        }
        return ++position < wanted.size();
      }

      @Override
      public ChangeKind kind() {
        return wanted.get(position).kind();
      }

      @Override
      public long offset() {
        return wanted.get(position).offset();
      }

      @Override
      public long timestamp() {
        return 0;
      }

      @Override
      public InternalRow row() {
        Object[] values = new Object[ordinals.length];
        for (int i = 0; i < ordinals.length; i++) {
          values[i] = wanted.get(position).values()[ordinals[i]];
        }
        return new GenericInternalRow(values);
      }

      @Override
      public long bytesFetched() {
        return 100;
      }

      @Override
      public void close() throws IOException {
        openReaders--;
      }
    };
  }

  @Override
  public KeySnapshotReader openKeySnapshot(LogRange range, long snapshotId, StructType columns) {
    openedColumns.add(List.of(columns.fieldNames()));
    openReaders++;
    return new KeySnapshotReader() {
      private int position = -1;

      @Override
      public boolean next() {
        return ++position < keySnapshot.size();
      }

      @Override
      public InternalRow row() {
        Object[] values = new Object[columns.length()];
        for (int i = 0; i < values.length; i++) {
          values[i] = keySnapshot.get(position)[schema.fieldIndex(columns.apply(i).name())];
        }
        return new GenericInternalRow(values);
      }

      @Override
      public void close() {
        openReaders--;
      }
    };
  }
}
