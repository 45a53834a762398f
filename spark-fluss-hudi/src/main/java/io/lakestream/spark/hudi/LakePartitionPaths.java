package io.lakestream.spark.hudi;

import io.lakestream.spark.types.PartitionKey;
import io.lakestream.spark.types.TableSchema;
import java.util.ArrayList;
import java.util.List;

/**
 * Spells the folder of a partition relative to the table: the values joined by slashes, neither
 * escaped nor with column names, as Fluss's own tiering has it. Thread-safe.
 */
final class LakePartitionPaths {
  private static final String DEFAULT_PARTITION = "__HIVE_DEFAULT_PARTITION__";

  private final TableSchema schema;
  private final List<String> partitionColumns;

  LakePartitionPaths(TableSchema schema, List<String> partitionColumns) {
    this.schema = schema;
    this.partitionColumns = partitionColumns;
  }

  String of(PartitionKey key) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < partitionColumns.size(); i++) {
      String text =
          LakeKeyValues.forPartitionPath(
              schema.column(partitionColumns.get(i)).type(), key.values().get(i));
      parts.add(text == null || text.isEmpty() ? DEFAULT_PARTITION : text);
    }
    return String.join("/", parts);
  }
}
