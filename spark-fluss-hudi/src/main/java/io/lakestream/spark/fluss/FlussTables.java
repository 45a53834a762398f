package io.lakestream.spark.fluss;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.log.NewTable;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.PartitionKey;
import io.lakestream.spark.types.PartitionValues;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import io.lakestream.spark.types.UnsupportedTypeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.fluss.metadata.PartitionInfo;
import org.apache.fluss.metadata.PartitionSpec;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TableInfo;

/** Tables, partitions and buckets: Fluss's descriptions and the port's, each made of the other. */
final class FlussTables {
  private FlussTables() {}

  static org.apache.fluss.metadata.TablePath path(TablePath path) {
    return org.apache.fluss.metadata.TablePath.of(path.database(), path.table());
  }

  /**
   * The port's description of a table.
   *
   * @throws LakestreamException {@code UNSUPPORTED_TYPE} with the column's name
   */
  static LogTable logTable(TablePath path, TableInfo info) {
    return new LogTable(
        path,
        info.getTableId(),
        info.getSchemaId(),
        schema(path, info.getSchema()),
        info.getPrimaryKeys(),
        info.getPartitionKeys(),
        info.getBucketKeys(),
        info.getNumBuckets(),
        info.getProperties().toMap(),
        info.getCustomProperties().toMap(),
        info.getComment().orElse(null));
  }

  static TableSchema schema(TablePath path, Schema schema) {
    List<TableColumn> columns = new ArrayList<>();
    try {
      for (Schema.Column column : schema.getColumns()) {
        columns.add(
            new TableColumn(
                column.getName(),
                FlussTypes.toLogical(column.getName(), column.getDataType()),
                column.getComment().orElse(null)));
      }
    } catch (UnsupportedTypeException e) {
      throw LakestreamException.of(
          ErrorCode.UNSUPPORTED_TYPE,
          path,
          "the column " + e.column() + " has the type " + e.type() + ", which cannot be read.",
          "Use a version of this connector that knows the type.",
          e);
    }
    return new TableSchema(columns);
  }

  static TableDescriptor descriptor(NewTable table) {
    Schema.Builder schema = Schema.newBuilder();
    for (TableColumn column : table.schema().columns()) {
      schema.column(column.name(), FlussTypes.toFluss(column.type()));
      if (column.comment() != null) {
        schema.withComment(column.comment());
      }
    }
    if (!table.primaryKey().isEmpty()) {
      schema.primaryKey(table.primaryKey());
    }
    TableDescriptor.Builder descriptor = TableDescriptor.builder().schema(schema.build());
    if (!table.partitionColumns().isEmpty()) {
      descriptor.partitionedBy(table.partitionColumns());
    }
    if (table.buckets().isPresent() || !table.bucketColumns().isEmpty()) {
      Integer buckets = table.buckets().isPresent() ? table.buckets().getAsInt() : null;
      descriptor.distributedBy(buckets, table.bucketColumns());
    }
    descriptor.properties(table.properties()).customProperties(table.customProperties());
    if (table.comment() != null) {
      descriptor.comment(table.comment());
    }
    return descriptor.build();
  }

  /** The port's description of a partition; its values are typed by the table's columns. */
  static LogPartition logPartition(LogTable table, PartitionInfo info) {
    Map<String, String> spelled = info.getPartitionSpec().getSpecMap();
    List<Object> values = new ArrayList<>();
    for (String column : table.partitionColumns()) {
      LogicalType type = table.schema().column(column).type();
      try {
        values.add(PartitionValues.parse(spelled.get(column), type));
      } catch (IllegalArgumentException e) {
        throw LakestreamException.of(
            ErrorCode.LOG_UNREADABLE,
            table.path(),
            "the partition "
                + info.getPartitionName()
                + " has the value "
                + spelled.get(column)
                + " for the column "
                + column
                + ", which is not of type "
                + type
                + ".",
            "Drop the partition; no row can be in it.",
            e);
      }
    }
    return new LogPartition(
        info.getPartitionId(), info.getPartitionName(), new PartitionKey(values));
  }

  static PartitionSpec partitionSpec(LogTable table, List<String> values) {
    List<String> columns = table.partitionColumns();
    if (columns.size() != values.size()) {
      throw LakestreamException.of(
          ErrorCode.INVALID_TABLE_DEFINITION,
          table.path(),
          "a partition needs values for " + columns + ", not " + values + ".",
          "Give one value for each partition column.");
    }
    Map<String, String> spec = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      spec.put(columns.get(i), values.get(i));
    }
    return new PartitionSpec(spec);
  }

  static TableBucket bucket(LogTable table, LogBucket bucket) {
    return new TableBucket(table.tableId(), bucket.partitionId(), bucket.bucket());
  }

  static LogBucket bucket(TableBucket bucket) {
    return new LogBucket(bucket.getPartitionId(), bucket.getBucket());
  }

  /**
   * Fails if a name now belongs to another table than the one that was described.
   *
   * @throws LakestreamException {@code TABLE_REPLACED}
   */
  static void requireSame(LogTable table, long actualTableId) {
    if (table.tableId() != actualTableId) {
      throw LakestreamException.of(
          ErrorCode.TABLE_REPLACED,
          table.path(),
          "the table with id "
              + table.tableId()
              + " is gone; the name now belongs to the table"
              + " with id "
              + actualTableId
              + ".",
          "Run the query again.");
    }
  }
}
