package io.lakestream.spark.log;

import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.StructType;

/**
 * A table as the cluster describes it at one moment.
 *
 * @param path database and name
 * @param tableId Fluss's id; a table that is dropped and created again gets a new one
 * @param schemaId the id of the current schema
 * @param schema the current columns
 * @param primaryKey the primary-key columns, empty for a log table
 * @param partitionColumns the partition columns, empty if unpartitioned
 * @param bucketColumns the columns that are hashed to a bucket, may be empty for log tables
 * @param buckets the number of buckets (per partition)
 * @param properties Fluss's own table properties
 * @param customProperties properties that Fluss only keeps
 * @param comment the table's comment, or null
 */
public record LogTable(
    TablePath path,
    long tableId,
    int schemaId,
    TableSchema schema,
    List<String> primaryKey,
    List<String> partitionColumns,
    List<String> bucketColumns,
    int buckets,
    Map<String, String> properties,
    Map<String, String> customProperties,
    String comment)
    implements Serializable {
  public LogTable {
    primaryKey = List.copyOf(primaryKey);
    partitionColumns = List.copyOf(partitionColumns);
    bucketColumns = List.copyOf(bucketColumns);
    properties = Map.copyOf(properties);
    customProperties = Map.copyOf(customProperties);
  }

  public boolean hasPrimaryKey() {
    return !primaryKey.isEmpty();
  }

  public boolean isPartitioned() {
    return !partitionColumns.isEmpty();
  }

  /** The partition columns as Spark sees them, in the order of a partition's values. */
  public StructType partitionSchema() {
    StructType all = schema.toSpark();
    StructType partitions = new StructType();
    for (String column : partitionColumns) {
      partitions = partitions.add(all.apply(column));
    }
    return partitions;
  }
}
