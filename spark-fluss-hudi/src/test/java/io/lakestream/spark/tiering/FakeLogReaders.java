package io.lakestream.spark.tiering;

import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.KeySnapshotReader;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.log.LogReader;
import io.lakestream.spark.log.LogReaderFactory;
import io.lakestream.spark.types.TableSchema;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;

/** Serves the records of {@link FakeLogCluster} in tasks, in one reused row object. */
record FakeLogReaders(
    TableSchema schema, Map<LogBucket, List<FakeLogRecord>> records, boolean failFirstAttempts)
    implements LogReaderFactory, Serializable {

  @Override
  public KeySnapshotReader openKeySnapshot(LogRange range, long snapshotId, StructType columns) {
    throw new UnsupportedOperationException("rounds read no key snapshots");
  }

  @Override
  public LogReader open(LogRange range, StructType columns) {
    int[] ordinals = Arrays.stream(columns.fieldNames()).mapToInt(schema::indexOf).toArray();
    Iterator<FakeLogRecord> wanted =
        records.getOrDefault(range.bucket(), List.of()).stream()
            .filter(record -> record.offset() >= range.start() && record.offset() < range.stop())
            .iterator();
    boolean fail = failFirstAttempts && TaskContext.get().attemptNumber() == 0;
    return new Reader(wanted, ordinals, fail);
  }

  private static final class Reader implements LogReader {
    private final Iterator<FakeLogRecord> records;
    private final int[] ordinals;
    private final GenericInternalRow row;
    private final boolean fail;
    private FakeLogRecord current;

    Reader(Iterator<FakeLogRecord> records, int[] ordinals, boolean fail) {
      this.fail = fail;
      this.records = records;
      this.ordinals = ordinals;
      this.row = new GenericInternalRow(ordinals.length);
    }

    @Override
    public boolean next() {
      if (!records.hasNext()) {
        if (fail) {
          throw new IllegalStateException("the attempt fails after its last row");
        }
        return false;
      }
      current = records.next();
      for (int i = 0; i < ordinals.length; i++) {
        row.update(i, current.values().get(ordinals[i]));
      }
      return true;
    }

    @Override
    public ChangeKind kind() {
      return current.kind();
    }

    @Override
    public long offset() {
      return current.offset();
    }

    @Override
    public long timestamp() {
      return current.timestamp();
    }

    @Override
    public InternalRow row() {
      return row;
    }

    @Override
    public long bytesFetched() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
