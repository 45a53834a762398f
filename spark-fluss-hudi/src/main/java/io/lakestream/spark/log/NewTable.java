package io.lakestream.spark.log;

import io.lakestream.spark.types.TableSchema;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What a table to be created shall be; the fields are as in {@link LogTable}.
 *
 * @param buckets the number of buckets, or empty for the cluster's default
 */
public record NewTable(
    TableSchema schema,
    List<String> primaryKey,
    List<String> partitionColumns,
    List<String> bucketColumns,
    OptionalInt buckets,
    Map<String, String> properties,
    Map<String, String> customProperties,
    String comment) {}
