package io.lakestream.spark.tiering;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeBucket;
import io.lakestream.spark.lake.LakeRound;
import io.lakestream.spark.lake.LakeTableWriter;
import io.lakestream.spark.log.LakeSnapshot;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.PartitionKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides what a round reads: {@code [tiered, latest)} of each bucket. Changes nothing. */
final class RoundFreezer {
  private final LogCluster cluster;

  RoundFreezer(LogCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Freezes a round.
   *
   * @throws LakestreamException {@code LOG_GAP} if offsets are lost, {@code TIERING_CONFLICT} if
   *     the cluster does not know the lake's newest round, which only happens while another round
   *     runs
   */
  FrozenRound freeze(LogTable table, LakeTableWriter lake, RoundLimits limits) {
    // A round commits first and reports then, so reading in the opposite order shows it half done.
    Optional<LakeSnapshot> reported = cluster.readableLakeSnapshot(table);
    Optional<Long> newestRound = lake.newestRound().map(LakeRound::snapshotId);
    if (!newestRound.equals(reported.map(LakeSnapshot::snapshotId))) {
      throw LakestreamException.of(
          ErrorCode.TIERING_CONFLICT,
          table.path(),
          "the newest round in the lake is "
              + newestRound.map(String::valueOf).orElse("none")
              + " but Fluss knows "
              + reported.map(snapshot -> String.valueOf(snapshot.snapshotId())).orElse("none")
              + ".",
          "Another round is running; run one round at a time.");
    }
    Optional<String> newestDataInstant = lake.newestDataInstant();
    Map<LogBucket, Optional<LogPartition>> buckets = TableBuckets.of(cluster, table);
    Map<LogBucket, Long> earliest = cluster.earliestOffsets(table, buckets.keySet());
    Map<LogBucket, Long> latest = cluster.latestOffsets(table, buckets.keySet());

    long waiting = 0;
    Map<LogBucket, Long> offsets = new HashMap<>();
    reported.ifPresent(snapshot -> offsets.putAll(snapshot.tieredOffsets()));
    List<FrozenRound.BucketRange> ranges = new ArrayList<>();
    for (Map.Entry<LogBucket, Optional<LogPartition>> entry : buckets.entrySet()) {
      LogBucket bucket = entry.getKey();
      Optional<LogPartition> partition = entry.getValue();
      Long start = earliest.get(bucket);
      Long end = latest.get(bucket);
      if (start == null || end == null) {
        continue;
      }
      long tiered = tiered(table, reported, bucket, start);
      String name = partition.map(LogPartition::name).orElse(null);
      check(table, bucket, name, start, tiered, end);
      long stop = tiered + Math.min(end - tiered, limits.bucketOffsets());
      waiting += end - stop;
      if (tiered < stop) {
        PartitionKey key = partition.map(LogPartition::key).orElse(PartitionKey.NONE);
        ranges.add(
            new FrozenRound.BucketRange(
                new LogRange(bucket, name, tiered, stop), new LakeBucket(key, bucket.bucket())));
      }
      // Also where nothing moved: a bucket whose log begins after 0 must not look untiered.
      if (stop > 0) {
        offsets.put(bucket, stop);
      }
    }
    return new FrozenRound(table, reported, newestDataInstant, ranges, offsets, waiting);
  }

  /**
   * Where the lake ends. A bucket that the lake snapshot does not name has nothing in the lake. A
   * log table that was never tiered begins at what its retention has left, by contract.
   */
  private static long tiered(
      LogTable table, Optional<LakeSnapshot> reported, LogBucket bucket, long earliest) {
    if (reported.isEmpty() && !table.hasPrimaryKey()) {
      return earliest;
    }
    return reported.map(snapshot -> snapshot.tieredOffsets().getOrDefault(bucket, 0L)).orElse(0L);
  }

  private static void check(
      LogTable table, LogBucket bucket, String partition, long earliest, long tiered, long latest) {
    String where =
        (partition == null ? "" : "partition " + partition + ", ") + "bucket " + bucket.bucket();
    if (earliest > tiered) {
      throw LakestreamException.of(
          ErrorCode.LOG_GAP,
          table.path(),
          where
              + ": the lake ends at offset "
              + tiered
              + " but the log begins at "
              + earliest
              + ", so the offsets between are lost.",
          "Raise table.log.ttl; drop the table and load it again to go on.");
    }
    if (tiered > latest) {
      throw LakestreamException.of(
          ErrorCode.TIERING_CONFLICT,
          table.path(),
          where + ": the lake ends at offset " + tiered + " but the log ends at " + latest + ".",
          "The lake snapshot belongs to another log; drop the lake table and tier again.");
    }
  }
}
