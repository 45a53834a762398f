package io.lakestream.spark.read.columnar;

import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogReader;
import io.lakestream.spark.types.BatchIterator;
import java.io.IOException;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** The rows of a log table's range as batches. */
final class LogBatchIterator implements BatchIterator {
  private final LogReader reader;
  private final RowBatchBuilder builder;
  private final ReadCounters counters;
  private long countedBytes;

  LogBatchIterator(LogReader reader, StructType schema, int batchSize, ReadCounters counters) {
    this.reader = reader;
    this.builder = new RowBatchBuilder(schema, batchSize);
    this.counters = counters;
  }

  @Override
  public boolean next() throws IOException {
    builder.reset();
    while (!builder.isFull() && reader.next()) {
      if (reader.kind() != ChangeKind.INSERT) {
        throw new IllegalStateException(
            "a log table's log has the change " + reader.kind() + " at offset " + reader.offset());
      }
      builder.add(reader.row());
      counters.logRows++;
    }
    long bytes = reader.bytesFetched();
    counters.logBytesFetched += bytes - countedBytes;
    countedBytes = bytes;
    return !builder.isEmpty();
  }

  @Override
  public ColumnarBatch get() {
    return builder.build();
  }

  @Override
  public void close() throws IOException {
    try {
      reader.close();
    } finally {
      builder.close();
    }
  }
}
