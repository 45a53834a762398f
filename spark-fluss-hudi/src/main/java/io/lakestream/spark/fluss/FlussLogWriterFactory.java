package io.lakestream.spark.fluss;

import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.log.LogWriter;
import io.lakestream.spark.log.LogWriterFactory;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.TableColumn;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.client.table.FlussTable;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.AppendWriter;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.row.InternalRow;

/** Opens writers in a task. Values only. */
record FlussLogWriterFactory(ClientConfig config, ReadSettings settings, LogTable table)
    implements LogWriterFactory {

  @Override
  public LogWriter open() {
    Function<InternalRow, CompletableFuture<?>> write =
        new Requests(config).blocking(table.path(), "open a writer", this::writer);
    LogicalType[] types =
        table.schema().columns().stream().map(TableColumn::type).toArray(LogicalType[]::new);
    return new FlussLogWriter(table.path(), new SparkRowView(types), write, settings);
  }

  private Function<InternalRow, CompletableFuture<?>> writer(FlussConnection connection)
      throws Exception {
    // Rows are sent to the table id that the connection last knew by this name.
    connection
        .getMetadataUpdater()
        .updateTableOrPartitionMetadata(FlussTables.path(table.path()), null);
    TableInfo info = connection.getAdmin().getTableInfo(FlussTables.path(table.path())).get();
    FlussTables.requireSame(table, info.getTableId());
    Table opened = new FlussTable(connection, info.getTablePath(), info);
    if (table.hasPrimaryKey()) {
      UpsertWriter writer = opened.newUpsert().createWriter();
      return writer::upsert;
    }
    AppendWriter writer = opened.newAppend().createWriter();
    return writer::append;
  }
}
