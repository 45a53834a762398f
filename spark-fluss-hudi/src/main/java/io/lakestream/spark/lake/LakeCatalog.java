package io.lakestream.spark.lake;

import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.util.List;

/** Opens lake tables. Thread-safe. */
public interface LakeCatalog {

  /**
   * Opens the Hudi table at a path and checks that it can hold the given table.
   *
   * @param table the table that it belongs to, for messages
   * @param path the Hudi table's folder
   * @param schema the declared columns
   * @param partitionColumns the declared partition columns
   * @param buckets the declared number of buckets
   * @throws io.lakestream.spark.error.LakestreamException {@code LAKE_NOT_FOUND}, {@code
   *     SCHEMA_MISMATCH}, {@code LAKE_MISMATCH}, {@code LAKE_UNSUPPORTED}
   */
  LakeTable open(
      TablePath table, String path, TableSchema schema, List<String> partitionColumns, int buckets);
}
