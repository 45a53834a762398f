package io.lakestream.spark.it.fluss;

import io.lakestream.spark.fluss.FlussClusters;
import io.lakestream.spark.fluss.ReadSettings;
import io.lakestream.spark.it.cluster.EmbeddedFluss;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.log.LogReader;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.log.LogWriter;
import io.lakestream.spark.log.NewTable;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.config.Configuration;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;

/** What the tests of the Fluss side do again and again. */
final class LogTables {
  static final ReadSettings IMPATIENT =
      new ReadSettings(Duration.ofMillis(500), Duration.ofSeconds(60), 20_000);

  private LogTables() {}

  static LogCluster connect(EmbeddedFluss cluster) {
    return connect(cluster, IMPATIENT);
  }

  static LogCluster connect(EmbeddedFluss cluster, ReadSettings settings) {
    return FlussClusters.connect(
        Map.of("bootstrap.servers", cluster.bootstrapServers()), Duration.ofSeconds(20), settings);
  }

  /** Fluss's own client, for what the port does not offer. */
  static Connection rawConnection(EmbeddedFluss cluster) {
    Configuration configuration = new Configuration();
    configuration.setString("bootstrap.servers", cluster.bootstrapServers());
    return ConnectionFactory.createConnection(configuration);
  }

  static TableColumn column(String name, LogicalType type) {
    return new TableColumn(name, type, null);
  }

  static NewTable logTable(TableColumn... columns) {
    return table(List.of(), List.of(), Map.of(), columns);
  }

  static NewTable table(
      List<String> primaryKey,
      List<String> partitionColumns,
      Map<String, String> properties,
      TableColumn... columns) {
    return new NewTable(
        new TableSchema(List.of(columns)),
        primaryKey,
        partitionColumns,
        List.of(),
        OptionalInt.of(1),
        properties,
        Map.of(),
        null);
  }

  static LogTable create(LogCluster cluster, String name, NewTable table) {
    TablePath path = new TablePath("fluss", name);
    cluster.createTable(path, table);
    return cluster.table(path);
  }

  static void write(LogCluster cluster, LogTable table, InternalRow... rows) throws IOException {
    try (LogWriter writer = cluster.writerFactory(table).open()) {
      for (InternalRow row : rows) {
        writer.write(row);
      }
      writer.flush();
    }
  }

  static InternalRow row(Object... values) {
    return new GenericInternalRow(values);
  }

  /** The whole log of bucket 0 up to its present end. */
  static LogRange wholeLog(LogCluster cluster, LogTable table) {
    LogBucket bucket = new LogBucket(null, 0);
    return new LogRange(bucket, null, 0, cluster.latestOffsets(table, List.of(bucket)).get(bucket));
  }

  /** Columns of a table by their names. */
  static StructType columns(LogTable table, List<String> names) {
    StructType all = table.schema().toSpark();
    StructType columns = new StructType();
    for (String name : names) {
      columns = columns.add(all.apply(name));
    }
    return columns;
  }

  /** A record with everything that a reader tells, its row copied. */
  record Read(String kind, long offset, InternalRow row) {}

  static List<Read> read(LogCluster cluster, LogTable table, LogRange range, List<String> columns)
      throws IOException {
    List<Read> records = new ArrayList<>();
    try (LogReader reader = cluster.readerFactory(table).open(range, columns(table, columns))) {
      while (reader.next()) {
        records.add(new Read(reader.kind().name(), reader.offset(), reader.row().copy()));
      }
    }
    return records;
  }
}
