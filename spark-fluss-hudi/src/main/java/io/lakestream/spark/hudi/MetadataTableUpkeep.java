package io.lakestream.spark.hudi;

import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.metadata.HoodieTableMetadata;

/**
 * Tells when Hudi should look after a table's metadata table: create it, or compact it, which it
 * does when it has ten delta commits. Opening it for that costs most of a second, and it is never
 * compacted without being opened.
 */
final class MetadataTableUpkeep {
  /** After how many delta commits Hudi compacts a metadata table. */
  private static final int DELTA_COMMITS = 10;

  private MetadataTableUpkeep() {}

  /** Whether the metadata table is missing, or has the delta commits for a compaction. */
  static boolean isDue(HoodieTableMetaClient client) {
    return !client.getTableConfig().isMetadataTableAvailable()
        || deltaCommitsSinceCompaction(client) >= DELTA_COMMITS;
  }

  private static long deltaCommitsSinceCompaction(HoodieTableMetaClient client) {
    HoodieTimeline completed =
        HoodieTableMetaClient.builder()
            .setBasePath(
                HoodieTableMetadata.getMetadataTableBasePath(client.getBasePath().toString()))
            .setConf(client.getStorageConf())
            .setLoadActiveTimelineOnLoad(true)
            .build()
            .getActiveTimeline()
            .filterCompletedInstants();
    String compacted =
        completed
            .getInstantsAsStream()
            .filter(instant -> instant.getAction().equals(HoodieTimeline.COMMIT_ACTION))
            .map(HoodieInstant::requestedTime)
            .max(String::compareTo)
            .orElse("");
    return completed
        .getInstantsAsStream()
        .filter(instant -> instant.getAction().equals(HoodieTimeline.DELTA_COMMIT_ACTION))
        .filter(instant -> instant.getCompletionTime().compareTo(compacted) > 0)
        .count();
  }
}
