package io.lakestream.spark.hudi;

import io.lakestream.spark.lake.LakeTableDefinition;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.keygen.constant.KeyGeneratorType;
import org.apache.hudi.metadata.MetadataPartitionType;

/** Hudi's write options for rounds and compactions. */
final class HudiWriteOptions {
  private HudiWriteOptions() {}

  static Map<String, String> of(LakeTableDefinition definition, HoodieTableConfig table) {
    String recordKeys = String.join(",", table.getRecordKeyFields().get());
    Map<String, String> options = new HashMap<>();
    options.put("hoodie.datasource.write.recordkey.field", recordKeys);
    options.put(
        "hoodie.datasource.write.partitionpath.field",
        String.join(",", definition.partitionColumns()));
    options.put(
        "hoodie.datasource.write.keygenerator.class",
        KeyGeneratorType.getKeyGeneratorClassName(table));
    // Rows are never placed by Hudi's hash, so the columns to be hashed are left open; Hudi would
    // refuse bucket columns that are not in the record key.
    options.put("hoodie.index.type", "BUCKET");
    options.put("hoodie.index.bucket.engine", "SIMPLE");
    options.put("hoodie.bucket.index.num.buckets", Integer.toString(definition.buckets()));
    options.put("hoodie.record.merge.mode", table.getRecordMergeMode().name());
    options.put("hoodie.logfile.data.block.format", "avro");
    options.put("hoodie.parquet.compression.codec", "zstd");
    // Only Hudi's bloom index asks for the filter, which would be 430 KB of every footer. The row
    // writer makes one whatever the first option says, so the others make it as small as it can be.
    options.put("hoodie.parquet.bloom.filter.enabled", "false");
    options.put("hoodie.bloom.index.filter.type", "SIMPLE");
    options.put("hoodie.index.bloom.num_entries", "1");
    // Three-level lists, so that null elements can be stored.
    options.put("parquet.avro.write-old-list-structure", "false");
    options.put("hoodie.write.markers.type", "DIRECT");
    options.put("hoodie.embed.timeline.server", "false");
    options.put("hoodie.write.auto.upgrade", "false");
    // Whatever rewrites or removes files is a step of its own, never a side effect of a round, and
    // a writer never rolls back what others have inflight.
    options.put("hoodie.clean.automatic", "false");
    options.put("hoodie.archive.automatic", "false");
    options.put("hoodie.compact.inline", "false");
    options.put("hoodie.compact.schedule.inline", "false");
    options.put("hoodie.compact.inline.trigger.strategy", "NUM_COMMITS");
    options.put("hoodie.compact.inline.max.delta.commits", "1");
    options.put("hoodie.clustering.inline", "false");
    options.put("hoodie.clustering.schedule.inline", "false");
    options.put("hoodie.clean.failed.writes.policy", "NEVER");
    options.put("hoodie.allow.empty.commit", "true");
    metadataTable(table.getMetadataPartitions(), options);
    return options;
  }

  /** Keeps the metadata table with the partitions that it has; Hudi drops those not asked for. */
  private static void metadataTable(Set<String> partitions, Map<String, String> options) {
    options.put("hoodie.metadata.enable", "true");
    Map.of(
            "hoodie.metadata.index.column.stats.enable", MetadataPartitionType.COLUMN_STATS,
            "hoodie.metadata.index.bloom.filter.enable", MetadataPartitionType.BLOOM_FILTERS,
            "hoodie.metadata.global.record.level.index.enable", MetadataPartitionType.RECORD_INDEX)
        .forEach(
            (option, partition) ->
                options.put(
                    option, Boolean.toString(partitions.contains(partition.getPartitionPath()))));
  }
}
