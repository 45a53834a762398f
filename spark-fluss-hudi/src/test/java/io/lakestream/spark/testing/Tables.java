package io.lakestream.spark.testing;

import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.util.List;
import java.util.Map;

/** Small tables for tests: {@code id BIGINT, v STRING, dt STRING}. */
public final class Tables {
  public static final TablePath PATH = new TablePath("db", "t");

  private static final TableSchema SCHEMA =
      new TableSchema(
          List.of(
              new TableColumn("id", LogicalType.of(Kind.BIGINT).withNullable(false), null),
              new TableColumn("v", LogicalType.of(Kind.STRING), null),
              new TableColumn("dt", LogicalType.of(Kind.STRING), null)));

  private Tables() {}

  public static LogTable log(int buckets) {
    return table(List.of(), List.of(), buckets);
  }

  public static LogTable partitionedLog(int buckets) {
    return table(List.of(), List.of("dt"), buckets);
  }

  public static LogTable primaryKey(int buckets) {
    return table(List.of("id"), List.of(), buckets);
  }

  private static LogTable table(List<String> key, List<String> partitions, int buckets) {
    return new LogTable(
        PATH, 7, 1, SCHEMA, key, partitions, List.of(), buckets, Map.of(), Map.of(), null);
  }
}
