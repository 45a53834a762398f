package io.lakestream.spark.read.plan;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.read.plan.UnionSplit.LogSplit;
import io.lakestream.spark.read.plan.UnionSplit.OverlaySplit;
import io.lakestream.spark.snapshot.BucketTail;
import io.lakestream.spark.snapshot.UnionSnapshot;
import io.lakestream.spark.types.PartitionKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Turns a snapshot and its lake slices into splits. A pure function: no input or output, the same
 * answer for the same arguments.
 */
public final class UnionPlanner {
  private final PlanSettings settings;

  public UnionPlanner(PlanSettings settings) {
    this.settings = settings;
  }

  /** Plans a log table: lake and tail have nothing to do with each other. */
  public List<UnionSplit> planLogTable(
      UnionSnapshot snapshot, List<LakeSlice> slices, Predicate<PartitionKey> partitions) {
    List<UnionSplit> splits = new ArrayList<>();
    LakeSplitPacker packer = new LakeSplitPacker(settings);
    for (LakeSlice slice : slices) {
      if (slice.hasLogFiles()) {
        // A slice that other tools changed in place is merged as a primary-key slice would be.
        splits.add(new OverlaySplit(List.of(slice), null));
      } else {
        packer.add(slice.baseFile());
      }
    }
    splits.addAll(packer.pack());
    for (BucketTail tail : snapshot.tails()) {
      if (partitions.test(tail.partition())) {
        cut(tail.range(), splits);
      }
    }
    return splits;
  }

  private void cut(LogRange range, List<UnionSplit> splits) {
    long start = range.start();
    while (start < range.stop()) {
      long stop = start + Math.min(settings.maxLogRecords(), range.stop() - start);
      splits.add(new LogSplit(new LogRange(range.bucket(), range.partitionName(), start, stop)));
      start = stop;
    }
  }

  /**
   * Plans a primary-key table: slices without changes of any kind are read as they are, all others
   * bucket by bucket with their changes.
   *
   * @throws LakestreamException {@code LAKE_UNSUPPORTED} if a bucket with changes cannot be told
   *     from the slices
   */
  public List<UnionSplit> planPrimaryKeyTable(
      UnionSnapshot snapshot, List<LakeSlice> slices, Predicate<PartitionKey> partitions) {
    Map<BucketPlace, BucketTail> tails = new LinkedHashMap<>();
    for (BucketTail tail : snapshot.tails()) {
      if (!tail.isEmpty() && partitions.test(tail.partition())) {
        tails.put(new BucketPlace(tail.partition(), tail.bucket().bucket()), tail);
      }
    }
    Map<BucketPlace, List<LakeSlice>> merged = new LinkedHashMap<>();
    tails.keySet().forEach(place -> merged.put(place, new ArrayList<>()));
    LakeSplitPacker packer = new LakeSplitPacker(settings);
    List<UnionSplit> splits = new ArrayList<>();
    for (LakeSlice slice : slices) {
      BucketPlace place = new BucketPlace(slice.partition(), slice.bucket());
      if (slice.bucket() == LakeSlice.UNKNOWN_BUCKET && hasTail(tails, slice.partition())) {
        throw unknownBucket(snapshot, slice);
      }
      if (tails.containsKey(place)) {
        if (tails.get(place).keySnapshot() != null) {
          throw untieredBucketInLake(snapshot, slice);
        }
        merged.get(place).add(slice);
      } else if (slice.hasLogFiles()) {
        splits.add(new OverlaySplit(List.of(slice), null));
      } else {
        packer.add(slice.baseFile());
      }
    }
    merged.forEach(
        (place, group) -> {
          BucketTail tail = tails.get(place);
          splits.add(new OverlaySplit(group, tail.range(), tail.keySnapshot()));
        });
    splits.addAll(packer.pack());
    return splits;
  }

  /** A bucket across both tiers. */
  private record BucketPlace(PartitionKey partition, int bucket) {}

  private static boolean hasTail(Map<BucketPlace, BucketTail> tails, PartitionKey partition) {
    return tails.keySet().stream().anyMatch(place -> place.partition().equals(partition));
  }

  private static LakestreamException untieredBucketInLake(UnionSnapshot snapshot, LakeSlice slice) {
    return LakestreamException.of(
        ErrorCode.LAKE_MISMATCH,
        snapshot.table(),
        "the lake has rows of bucket "
            + slice.bucket()
            + " in '"
            + slice.partitionPath()
            + "', but the cluster says that nothing of this bucket was tiered.",
        "Check that the lake path belongs to this table.");
  }

  private static LakestreamException unknownBucket(UnionSnapshot snapshot, LakeSlice slice) {
    return LakestreamException.of(
        ErrorCode.LAKE_UNSUPPORTED,
        snapshot.table(),
        "the file group '"
            + slice.fileId()
            + "' in '"
            + slice.partitionPath()
            + "' does not tell its bucket, so untiered changes cannot be merged with it.",
        "Do not cluster primary-key tables with other tools; read the lake alone with"
            + " 'union.read.mode' = 'lake' meanwhile.");
  }
}
