package io.lakestream.spark.tiering;

import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tables for tests of tiering. */
final class TestTables {
  static final long TABLE_ID = 7;

  private TestTables() {}

  /** {@code events(id INT, name STRING)}, a log table. */
  static LogTable log(int buckets) {
    return table(
        "events",
        columns(
            "id", LogicalType.of(Kind.INTEGER),
            "name", LogicalType.of(Kind.STRING)),
        List.of(),
        List.of(),
        List.of("id"),
        buckets);
  }

  /** {@code users(id INT NOT NULL, name STRING)} with the primary key {@code id}. */
  static LogTable primaryKey(int buckets) {
    return table(
        "users",
        columns(
            "id", LogicalType.of(Kind.INTEGER).withNullable(false),
            "name", LogicalType.of(Kind.STRING)),
        List.of("id"),
        List.of(),
        List.of("id"),
        buckets);
  }

  static LogTable table(
      String name,
      TableSchema schema,
      List<String> primaryKey,
      List<String> partitionColumns,
      List<String> bucketColumns,
      int buckets) {
    return new LogTable(
        new TablePath("db", name),
        TABLE_ID,
        1,
        schema,
        primaryKey,
        partitionColumns,
        bucketColumns,
        buckets,
        Map.of(),
        Map.of(),
        null);
  }

  /** The table in a cluster that hashes bucket columns as Hudi does. */
  static LogTable hashedByHudi(LogTable table) {
    return with(table, "table.datalake.format", "hudi");
  }

  /** The table of which the cluster says when it is tiered. */
  static LogTable scheduledByCluster(LogTable table) {
    return with(table, "table.datalake.enabled", "true");
  }

  private static LogTable with(LogTable table, String property, String value) {
    return new LogTable(
        table.path(),
        table.tableId(),
        table.schemaId(),
        table.schema(),
        table.primaryKey(),
        table.partitionColumns(),
        table.bucketColumns(),
        table.buckets(),
        Map.of(property, value),
        Map.of(),
        null);
  }

  /** Columns given as name, type, name, type and so on. */
  static TableSchema columns(Object... namesAndTypes) {
    List<TableColumn> columns = new ArrayList<>();
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      columns.add(
          new TableColumn((String) namesAndTypes[i], (LogicalType) namesAndTypes[i + 1], null));
    }
    return new TableSchema(columns);
  }
}
