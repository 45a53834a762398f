package io.lakestream.spark.tiering;

import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.log.LogTable;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The buckets that a table has now, in order. */
final class TableBuckets {
  private TableBuckets() {}

  /** Every bucket, with its partition if the table is partitioned. */
  static Map<LogBucket, Optional<LogPartition>> of(LogCluster cluster, LogTable table) {
    Map<LogBucket, Optional<LogPartition>> buckets = new TreeMap<>();
    if (table.isPartitioned()) {
      for (LogPartition partition : cluster.partitions(table)) {
        for (int bucket = 0; bucket < table.buckets(); bucket++) {
          buckets.put(new LogBucket(partition.id(), bucket), Optional.of(partition));
        }
      }
    } else {
      for (int bucket = 0; bucket < table.buckets(); bucket++) {
        buckets.put(new LogBucket(null, bucket), Optional.empty());
      }
    }
    return buckets;
  }
}
