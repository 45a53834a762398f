package io.lakestream.spark.write;

import io.lakestream.spark.log.LogWriter;
import io.lakestream.spark.log.LogWriterFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** A batch of rows on their way into the log. Rows are visible as soon as a task has sent them. */
final class AppendBatchWrite implements BatchWrite {
  private final LogWriterFactory writers;

  AppendBatchWrite(LogWriterFactory writers) {
    this.writers = writers;
  }

  @Override
  public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    return new AppendWriterFactory(writers);
  }

  @Override
  public void commit(WriterCommitMessage[] messages) {
    // Each task has awaited the acknowledgement of every row: nothing is left to be done.
  }

  @Override
  public void abort(WriterCommitMessage[] messages) {
    // A log cannot take rows back; that is what at-least-once means here.
  }

  private record AppendWriterFactory(LogWriterFactory writers) implements DataWriterFactory {
    @Override
    public DataWriter<InternalRow> createWriter(int partitionId, long taskId) {
      try {
        return new AppendDataWriter(writers.open());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private record Done() implements WriterCommitMessage {}

  private static final class AppendDataWriter implements DataWriter<InternalRow> {
    private final LogWriter writer;

    AppendDataWriter(LogWriter writer) {
      this.writer = writer;
    }

    @Override
    public void write(InternalRow row) throws IOException {
      writer.write(row);
    }

    @Override
    public WriterCommitMessage commit() throws IOException {
      writer.flush();
      return new Done();
    }

    @Override
    public void abort() {
      // See AppendBatchWrite.abort.
    }

    @Override
    public void close() throws IOException {
      writer.close();
    }
  }
}
