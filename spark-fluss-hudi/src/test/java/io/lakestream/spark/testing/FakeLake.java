package io.lakestream.spark.testing;

import io.lakestream.spark.lake.LakeChanges;
import io.lakestream.spark.lake.LakeFile;
import io.lakestream.spark.lake.LakeReaderFactory;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.types.BatchIterator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/** A lake held in memory: rows by base file, changes by slice. The record key is the id as text. */
public final class FakeLake implements LakeReaderFactory {
  private static final int BATCH = 2;

  private record Change(String key, Object[] values) {}

  private final StructType schema;
  private final Map<String, List<Object[]>> baseRows = new HashMap<>();
  private final Map<String, List<Change>> changes = new HashMap<>();

  /** The columns asked for at each opening of a base file; the record key shows as {@code +key}. */
  public final List<String> openedColumns = new ArrayList<>();

  public FakeLake(StructType schema) {
    this.schema = schema;
  }

  public FakeLake base(String path, Object[]... rows) {
    baseRows.put(path, List.of(rows));
    return this;
  }

  /** A change in the slice's log files; no values mean a deletion. */
  public FakeLake change(String fileId, String key, Object... values) {
    changes
        .computeIfAbsent(fileId, ignored -> new ArrayList<>())
        .add(new Change(key, values.length == 0 ? null : values));
    return this;
  }

  private int[] ordinals(StructType columns) {
    int[] ordinals = new int[columns.length()];
    for (int i = 0; i < ordinals.length; i++) {
      ordinals[i] = schema.fieldIndex(columns.apply(i).name());
    }
    return ordinals;
  }

  private static Object[] pick(Object[] values, int[] ordinals, boolean recordKey) {
    Object[] picked = new Object[ordinals.length + (recordKey ? 1 : 0)];
    for (int i = 0; i < ordinals.length; i++) {
      picked[i] = values[ordinals[i]];
    }
    if (recordKey) {
      picked[ordinals.length] = UTF8String.fromString(String.valueOf(values[0]));
    }
    return picked;
  }

  @Override
  public BatchIterator openBase(
      LakeFile file, long start, long length, StructType columns, boolean recordKey) {
    openedColumns.add(String.join(",", columns.fieldNames()) + (recordKey ? "+key" : ""));
    StructType read = recordKey ? columns.add("_key", DataTypes.StringType) : columns;
    int[] ordinals = ordinals(columns);
    Iterator<Object[]> rows = baseRows.get(file.path()).iterator();
    WritableColumnVector[] vectors = OnHeapColumnVector.allocateColumns(BATCH, read);
    RowToColumnConverter converter = new RowToColumnConverter(read);
    ColumnVector[] shown = new ColumnVector[vectors.length];
    System.arraycopy(vectors, 0, shown, 0, vectors.length);
    ColumnarBatch batch = new ColumnarBatch(shown);
    return new BatchIterator() {
      @Override
      public boolean next() {
        int count = 0;
        for (WritableColumnVector vector : vectors) {
          vector.reset();
        }
        while (count < BATCH && rows.hasNext()) {
          converter.convert(
              new GenericInternalRow(pick(rows.next(), ordinals, recordKey)), vectors);
          count++;
        }
        batch.setNumRows(count);
        return count > 0;
      }

      @Override
      public ColumnarBatch get() {
        return batch;
      }

      @Override
      public void close() {
        batch.close();
      }
    };
  }

  @Override
  public LakeChanges openChanges(LakeSlice slice, StructType columns) {
    int[] ordinals = ordinals(columns);
    List<Change> all = changes.get(slice.fileId());
    return new LakeChanges() {
      private int position = -1;

      @Override
      public boolean next() {
        return ++position < all.size();
      }

      @Override
      public String recordKey() {
        return all.get(position).key();
      }

      @Override
      public boolean deleted() {
        return all.get(position).values() == null;
      }

      @Override
      public InternalRow row() {
        return new GenericInternalRow(pick(all.get(position).values(), ordinals, false));
      }

      @Override
      public void close() {}
    };
  }
}
