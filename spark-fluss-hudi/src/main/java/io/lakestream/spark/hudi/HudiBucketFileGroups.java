package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeBucket;
import io.lakestream.spark.lake.LakeTableDefinition;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hudi.common.engine.HoodieLocalEngineContext;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.index.bucket.BucketIdentifier;
import org.apache.hudi.table.HoodieSparkTable;

/** Finds the file groups of buckets in the slices of the lake's newest state. */
final class HudiBucketFileGroups {
  private final LakeTableDefinition definition;
  private final HudiWriteClients clients;

  HudiBucketFileGroups(LakeTableDefinition definition, HudiWriteClients clients) {
    this.definition = definition;
    this.clients = clients;
  }

  Map<LakeBucket, String> find(Collection<LakeBucket> buckets) {
    HoodieTableMetaClient metaClient = clients.metaClient();
    PartitionPaths paths =
        HudiTableCreation.partitionPaths(definition, metaClient.getTableConfig());
    Map<String, Set<LakeBucket>> wanted = new HashMap<>();
    for (LakeBucket bucket : buckets) {
      wanted.computeIfAbsent(paths.format(bucket.partition()), path -> new HashSet<>()).add(bucket);
    }
    var table =
        HoodieSparkTable.create(
            clients.writeConfig(),
            new HoodieLocalEngineContext(metaClient.getStorageConf()),
            metaClient);
    Map<LakeBucket, String> found = new HashMap<>();
    wanted.forEach(
        (path, inPartition) -> {
          Map<Integer, String> groups = new HashMap<>();
          try (Stream<FileSlice> slices = table.getSliceView().getLatestFileSlices(path)) {
            slices.forEach(slice -> put(groups, path, slice.getFileId()));
          }
          for (LakeBucket bucket : inPartition) {
            String group = groups.get(bucket.bucket());
            if (group != null) {
              found.put(bucket, group);
            }
          }
        });
    return found;
  }

  private void put(Map<Integer, String> groups, String partitionPath, String fileId) {
    int bucket;
    try {
      bucket = BucketIdentifier.bucketIdFromFileId(fileId);
    } catch (NumberFormatException notOurs) {
      bucket = -1;
    }
    String other = bucket < 0 ? null : groups.put(bucket, fileId);
    if (bucket < 0 || bucket >= definition.buckets() || other != null) {
      throw LakestreamException.of(
          ErrorCode.LAKE_UNSUPPORTED,
          definition.table(),
          "the file group "
              + fileId
              + " in partition '"
              + partitionPath
              + "' of the lake at "
              + definition.path()
              + (other == null
                  ? " does not name one of the buckets 0 to " + (definition.buckets() - 1)
                  : " is the second one of its bucket, beside " + other)
              + ".",
          "A primary-key table needs one file group per bucket; tier it into a new lake table.");
    }
  }
}
