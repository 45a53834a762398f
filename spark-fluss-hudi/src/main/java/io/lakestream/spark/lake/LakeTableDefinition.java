package io.lakestream.spark.lake;

import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.util.List;

/**
 * What a lake table to be written shall hold.
 *
 * @param table the table that it belongs to
 * @param tableId the id that the cluster gave to the table
 * @param path the Hudi table's folder
 * @param schema the declared columns, without system columns
 * @param primaryKey the primary-key columns, empty for a log table
 * @param partitionColumns the partition columns, empty if unpartitioned
 * @param bucketColumns the columns that are hashed to a bucket, may be empty for log tables
 * @param buckets the number of buckets (per partition)
 * @param hudiHash whether the cluster hashes the bucket columns as Hudi's bucket index does
 * @param recordKey the columns of Hudi's record key for a log table; empty for the default, the
 *     bucket columns or else {@code __bucket} and {@code __offset}. A primary-key table always uses
 *     its primary key
 */
public record LakeTableDefinition(
    TablePath table,
    long tableId,
    String path,
    TableSchema schema,
    List<String> primaryKey,
    List<String> partitionColumns,
    List<String> bucketColumns,
    int buckets,
    boolean hudiHash,
    List<String> recordKey) {
  public LakeTableDefinition {
    primaryKey = List.copyOf(primaryKey);
    partitionColumns = List.copyOf(partitionColumns);
    bucketColumns = List.copyOf(bucketColumns);
    recordKey = List.copyOf(recordKey);
  }

  public boolean hasPrimaryKey() {
    return !primaryKey.isEmpty();
  }
}
