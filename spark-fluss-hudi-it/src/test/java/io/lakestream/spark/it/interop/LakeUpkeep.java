package io.lakestream.spark.it.interop;

import io.lakestream.spark.it.harness.Environment;
import io.lakestream.spark.it.harness.TestTable;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.hudi.client.SparkRDDWriteClient;
import org.apache.hudi.client.common.HoodieSparkEngineContext;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.hudi.metadata.MetadataPartitionType;
import org.apache.spark.api.java.JavaSparkContext;

/** What others do to a lake with Hudi's own tools, between rounds. */
final class LakeUpkeep {
  private LakeUpkeep() {}

  /** Gives the metadata table statistics of all columns, by which Hudi's reader skips files. */
  static void index(Environment environment, TestTable table) {
    Map<String, String> options = Map.of("hoodie.metadata.index.column.stats.enable", "true");
    try (SparkRDDWriteClient<Object> client = client(environment, table, options)) {
      String instant =
          client
              .scheduleIndexing(List.of(MetadataPartitionType.COLUMN_STATS), List.of())
              .orElseThrow(() -> new IllegalStateException("no indexing was scheduled"));
      client.index(instant);
    }
  }

  /** Deletes all file slices but the newest of each group. */
  static void clean(Environment environment, TestTable table) {
    Map<String, String> options =
        Map.of(
            "hoodie.clean.policy", "KEEP_LATEST_FILE_VERSIONS",
            "hoodie.clean.fileversions.retained", "1",
            "hoodie.metadata.index.column.stats.enable", "true");
    try (SparkRDDWriteClient<Object> client = client(environment, table, options)) {
      client.clean();
    }
  }

  private static SparkRDDWriteClient<Object> client(
      Environment environment, TestTable table, Map<String, String> options) {
    Properties properties = new Properties();
    properties.put("hoodie.embed.timeline.server", "false");
    // Without these Hudi does not index.
    properties.put("hoodie.write.concurrency.mode", "OPTIMISTIC_CONCURRENCY_CONTROL");
    properties.put(
        "hoodie.write.lock.provider",
        "org.apache.hudi.client.transaction.lock.InProcessLockProvider");
    properties.put("hoodie.clean.failed.writes.policy", "LAZY");
    properties.putAll(options);
    HoodieWriteConfig config =
        HoodieWriteConfig.newBuilder()
            .withPath(table.lakeDirectory().toString())
            .forTable(table.flussPath().getTableName())
            .withProps(properties)
            .build();
    JavaSparkContext context =
        JavaSparkContext.fromSparkContext(environment.spark().sparkContext());
    return new SparkRDDWriteClient<>(new HoodieSparkEngineContext(context), config);
  }
}
