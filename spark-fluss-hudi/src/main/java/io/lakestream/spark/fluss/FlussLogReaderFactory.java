package io.lakestream.spark.fluss;

import io.lakestream.spark.log.KeySnapshotReader;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.log.LogReader;
import io.lakestream.spark.log.LogReaderFactory;
import io.lakestream.spark.log.LogTable;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.batch.BatchScanner;
import org.apache.fluss.exception.FlussRuntimeException;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TableInfo;
import org.apache.spark.sql.types.StructType;

/** Opens readers in a task. Values only. */
record FlussLogReaderFactory(ClientConfig config, ReadSettings settings, LogTable table)
    implements LogReaderFactory {

  @Override
  public LogReader open(LogRange range, StructType columns) {
    Requests requests = new Requests(config);
    LogTableState state = new LogTableState(requests, table);
    TableInfo info = state.requireCurrent();
    Schema oldest = state.oldestSchema(info);
    LogProjection projection = LogProjection.of(table.path(), info.getSchema(), oldest, columns);
    LogScan scan =
        requests.repeating(
            table.path(),
            "open the log of " + range.where(),
            connection -> LogScan.open(connection, info, projection.pushed()));
    return new FlussLogReader(
        table.path(),
        FlussTables.bucket(table, range.bucket()),
        range,
        projection,
        scan,
        state,
        settings);
  }

  @Override
  public KeySnapshotReader openKeySnapshot(LogRange range, long snapshotId, StructType columns) {
    Requests requests = new Requests(config);
    TableInfo info = new LogTableState(requests, table).requireCurrent();
    // Rows of older schemas get nulls for later columns from the client, so nothing is too old.
    Schema schema = info.getSchema();
    LogProjection projection = LogProjection.of(table.path(), schema, schema, columns);
    TableBucket bucket = FlussTables.bucket(table, range.bucket());
    BatchScanner scanner =
        requests.blocking(
            table.path(),
            "open the key snapshot of " + range.where(),
            connection -> {
              Table open = connection.getTable(info.getTablePath());
              try {
                return open.newScan()
                    .project(projection.pushed())
                    .createBatchScanner(bucket, snapshotId);
              } catch (FlussRuntimeException e) {
                throw FlussKeySnapshotReader.unreadable(table, range, snapshotId, e);
              }
            });
    return new FlussKeySnapshotReader(
        table, range, snapshotId, scanner, projection.newRow(), settings);
  }
}
