package io.lakestream.spark.fluss;

import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.log.LogReader;
import io.lakestream.spark.log.LogReaderFactory;
import io.lakestream.spark.log.LogTable;
import org.apache.fluss.metadata.Schema;
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
        requests.blocking(
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
}
