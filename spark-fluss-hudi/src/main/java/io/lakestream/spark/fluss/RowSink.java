package io.lakestream.spark.fluss;

import io.lakestream.spark.log.LogTable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.client.table.writer.TableAppend;
import org.apache.fluss.client.table.writer.TableUpsert;
import org.apache.fluss.client.write.WriterClient;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.row.InternalRow;

/**
 * Where the rows of one writer go: a write client of the Fluss client, of its own; the one place
 * that builds one from the client's internals. The one that a connection shares among all its
 * tables does not recover when one of them is dropped while rows are in flight: its sender asks for
 * the lost table for ever. Not thread-safe.
 */
final class RowSink {
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final WriterClient client;
  private final Function<InternalRow, CompletableFuture<?>> write;

  private RowSink(WriterClient client, Function<InternalRow, CompletableFuture<?>> write) {
    this.client = client;
    this.write = write;
  }

  /** Opens a sink. May block on the network. */
  static RowSink open(FlussConnection connection, LogTable table) throws Exception {
    org.apache.fluss.metadata.TablePath path = FlussTables.path(table.path());
    TableInfo info = connection.getAdmin().getTableInfo(path).get();
    FlussTables.requireSame(table, info.getTableId());
    // Rows are sent to the table id that the connection last knew by this name.
    connection.getMetadataUpdater().updateTableOrPartitionMetadata(path, null);
    WriterClient client =
        new WriterClient(
            connection.getConfiguration(),
            connection.getMetadataUpdater(),
            connection.getClientMetricGroup(),
            connection.getAdmin());
    try {
      return new RowSink(client, write(table, path, info, client));
    } catch (RuntimeException e) {
      client.close(Duration.ZERO);
      throw e;
    }
  }

  private static Function<InternalRow, CompletableFuture<?>> write(
      LogTable table,
      org.apache.fluss.metadata.TablePath path,
      TableInfo info,
      WriterClient client) {
    return table.hasPrimaryKey()
        ? new TableUpsert(path, info, client).createWriter()::upsert
        : new TableAppend(path, info, client).createWriter()::append;
  }

  /** Hands a row over; the future tells whether it was acknowledged. */
  CompletableFuture<?> write(InternalRow row) {
    return write.apply(row);
  }

  /** Ends the client, at once if rows are still in flight that nobody waits for any more. */
  void close(boolean inFlight) {
    client.close(inFlight ? Duration.ZERO : GRACE);
  }
}
