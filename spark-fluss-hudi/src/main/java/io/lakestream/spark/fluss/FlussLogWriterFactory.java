package io.lakestream.spark.fluss;

import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.log.LogWriter;
import io.lakestream.spark.log.LogWriterFactory;

/** Opens writers in a task. Values only. */
record FlussLogWriterFactory(ClientConfig config, ReadSettings settings, LogTable table)
    implements LogWriterFactory {

  @Override
  public LogWriter open() {
    RowSink sink =
        new Requests(config)
            .blocking(table.path(), "open a writer", connection -> RowSink.open(connection, table));
    return new FlussLogWriter(table, sink, settings);
  }
}
