package io.lakestream.spark.snapshot;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.KeySnapshot;
import io.lakestream.spark.log.LakeSnapshot;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.PartitionKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides what a query reads. The order of the questions matters: first the lake snapshot with its
 * offsets, then the ends of the logs, last their beginnings, so that a round or an expiry in
 * between shows up as a gap and not as missing rows. A gap may have been closed by a newer lake
 * snapshot: the questions are asked again a few times before it is an error.
 */
public final class SnapshotResolver {
  private static final int ATTEMPTS = 3;

  private final LogCluster cluster;

  public SnapshotResolver(LogCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Takes the current snapshot of a table.
   *
   * @param lakePath where the lake is, empty if the table does not say
   * @throws LakestreamException {@code LOG_GAP} if rows that the snapshot needs are gone, {@code
   *     LAKE_NOT_CONFIGURED} if there is a lake and nobody says where
   */
  public UnionSnapshot resolve(LogTable table, Optional<String> lakePath, SnapshotRequest request) {
    for (int attempt = 1; ; attempt++) {
      try {
        return resolveOnce(table, lakePath, request);
      } catch (LakestreamException e) {
        if (e.code() != ErrorCode.LOG_GAP || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /**
   * Takes an earlier snapshot again.
   *
   * @param json what {@link SnapshotJson#write} gave
   * @param request which part of it is wanted
   * @throws LakestreamException {@code INVALID_PIN}, {@code TABLE_REPLACED}, or {@code LOG_GAP} if
   *     the log no longer has the offsets
   */
  public UnionSnapshot resolvePin(LogTable table, String json, SnapshotRequest request) {
    UnionSnapshot pin = SnapshotJson.read(table.path(), json);
    if (!pin.table().equals(table.path())) {
      throw LakestreamException.of(
          ErrorCode.INVALID_PIN,
          table.path(),
          "the snapshot pin is of the table " + pin.table() + ".",
          "Give a pin of this table.");
    }
    if (pin.tableId() != table.tableId()) {
      throw LakestreamException.of(
          ErrorCode.TABLE_REPLACED,
          table.path(),
          "the snapshot pin is of the table id "
              + pin.tableId()
              + ", the table now has the id "
              + table.tableId()
              + ": it was dropped and created again.",
          "The pinned rows are gone; take a new pin.");
    }
    if (request.lakeRequired() && pin.lakeInstant().isEmpty()) {
      throw Gaps.lakeRequired(table, "the snapshot pin has no lake");
    }
    List<BucketTail> pinned = request.lakeOnly() ? List.of() : pin.tails();
    Map<LogBucket, Long> needed = new LinkedHashMap<>();
    pinned.stream()
        .filter(tail -> !tail.isEmpty())
        .forEach(tail -> needed.put(tail.bucket(), tail.start()));
    Map<LogBucket, Long> earliest = cluster.earliestOffsets(table, needed.keySet());
    Map<Long, LogPartition> partitions = new LinkedHashMap<>();
    cluster.partitions(table).forEach(partition -> partitions.put(partition.id(), partition));
    Map<LogBucket, Long> keySnapshots = new LinkedHashMap<>();
    pinned.stream()
        .filter(tail -> tail.keySnapshot() != null)
        .forEach(tail -> keySnapshots.put(tail.bucket(), tail.keySnapshot()));
    Set<LogBucket> held =
        keySnapshots.isEmpty() ? Set.of() : cluster.holdKeySnapshots(table, keySnapshots);
    List<BucketTail> tails = new ArrayList<>();
    for (BucketTail tail : pinned) {
      if (!tail.isEmpty()) {
        Long available = earliest.get(tail.bucket());
        if (available == null || (available > tail.start() && tail.stop() > tail.start())) {
          throw Gaps.pinned(table, tail, available);
        }
        if (tail.keySnapshot() != null && !held.contains(tail.bucket())) {
          throw Gaps.pinnedKeySnapshot(table, tail);
        }
        tails.add(withTypedPartition(table, tail, partitions));
      }
    }
    return new UnionSnapshot(
        pin.table(),
        pin.tableId(),
        pin.schemaId(),
        pin.lakePath(),
        pin.instant(),
        tails,
        pin.lostRows());
  }

  /**
   * Where the lake is.
   *
   * @param need why that must be known, for the message
   * @throws LakestreamException {@code LAKE_NOT_CONFIGURED} if nobody says
   */
  public static String requireLakePath(LogTable table, Optional<String> lakePath, String need) {
    return lakePath.orElseThrow(
        () ->
            LakestreamException.of(
                ErrorCode.LAKE_NOT_CONFIGURED,
                table.path(),
                need + ", but nothing says where the Hudi table is.",
                "Set the option 'hudi.path', the table property 'lakestream.hudi.path' or the"
                    + " catalog setting 'hudi.catalog.path'."));
  }

  private static BucketTail withTypedPartition(
      LogTable table, BucketTail tail, Map<Long, LogPartition> partitions) {
    if (tail.bucket().partitionId() == null) {
      return tail;
    }
    LogPartition partition = partitions.get(tail.bucket().partitionId());
    if (partition == null) {
      throw Gaps.pinned(table, tail, null);
    }
    return new BucketTail(
        tail.bucket(),
        partition.name(),
        partition.key(),
        tail.start(),
        tail.stop(),
        tail.keySnapshot());
  }

  private UnionSnapshot resolveOnce(
      LogTable table, Optional<String> lakePath, SnapshotRequest request) {
    Optional<LakeSnapshot> lake = cluster.readableLakeSnapshot(table);
    lake.ifPresent(
        known ->
            requireLakePath(
                table, lakePath, "the cluster reports the lake snapshot " + known.instant()));
    if (lake.isEmpty() && request.lakeRequired()) {
      throw Gaps.lakeRequired(table, "nothing was ever tiered");
    }
    Tails tails =
        request.lakeOnly() ? new Tails(List.of(), 0) : tails(table, lake, request.failOnDataLoss());
    if (table.isPartitioned() && !cluster.readableLakeSnapshot(table).equals(lake)) {
      // A partition may have been tiered and then dropped since the lake snapshot was read: its
      // rows
      // would be on neither side.
      throw Gaps.lakeMoved(table);
    }
    return new UnionSnapshot(
        table.path(),
        table.tableId(),
        table.schemaId(),
        lake.isPresent() ? lakePath.orElseThrow() : null,
        lake.map(LakeSnapshot::instant).orElse(null),
        tails.tails(),
        tails.lostRows());
  }

  private record Tails(List<BucketTail> tails, long lostRows) {}

  private Tails tails(LogTable table, Optional<LakeSnapshot> lake, boolean failOnDataLoss) {
    Map<LogBucket, LogPartition> buckets = buckets(table);
    // Asked before the ends of the logs: a snapshot then ends where the log does, or before.
    Map<LogBucket, KeySnapshot> keySnapshots = keySnapshots(table, lake, buckets.keySet());
    Map<LogBucket, Long> latest = cluster.latestOffsets(table, buckets.keySet());
    Map<LogBucket, Long> earliest = cluster.earliestOffsets(table, latest.keySet());
    List<BucketTail> tails = new ArrayList<>();
    long lostRows = 0;
    for (Map.Entry<LogBucket, LogPartition> entry : buckets.entrySet()) {
      LogBucket bucket = entry.getKey();
      if (!latest.containsKey(bucket) || !earliest.containsKey(bucket)) {
        // The partition was dropped meanwhile: what it still has is in the lake.
        continue;
      }
      long stop = latest.get(bucket);
      long logStart = earliest.get(bucket);
      KeySnapshot keySnapshot = keySnapshots.get(bucket);
      long start =
          keySnapshot == null
              ? tieredOffset(table, lake, bucket, logStart)
              : keySnapshot.logOffset();
      String name = entry.getValue() == null ? null : entry.getValue().name();
      if (stop < start) {
        throw Gaps.aheadOfLog(table, bucket, name, start, stop, keySnapshot == null);
      }
      if (logStart > start && stop > start) {
        if (failOnDataLoss || table.hasPrimaryKey()) {
          throw Gaps.expired(
              table, bucket, name, start, logStart, lake.isPresent(), keySnapshot != null);
        }
        long resumed = Math.min(logStart, stop);
        lostRows += resumed - start;
        start = resumed;
      }
      tails.add(
          new BucketTail(
              bucket,
              name,
              entry.getValue() == null ? PartitionKey.NONE : entry.getValue().key(),
              start,
              stop,
              keySnapshot == null ? null : keySnapshot.id()));
    }
    return new Tails(tails, lostRows);
  }

  /** The key snapshots of the buckets of a primary-key table that the lake has nothing of. */
  private Map<LogBucket, KeySnapshot> keySnapshots(
      LogTable table, Optional<LakeSnapshot> lake, Set<LogBucket> buckets) {
    if (!table.hasPrimaryKey()) {
      return Map.of();
    }
    Set<LogBucket> untiered = new LinkedHashSet<>(buckets);
    lake.ifPresent(known -> untiered.removeIf(bucket -> isTiered(known, bucket)));
    return untiered.isEmpty() ? Map.of() : cluster.keySnapshots(table, untiered);
  }

  private static boolean isTiered(LakeSnapshot lake, LogBucket bucket) {
    return lake.tieredOffsets().getOrDefault(bucket, 0L) > 0;
  }

  /**
   * Where a bucket's tail begins. With a lake, a bucket that its offsets do not name was never
   * tiered and begins at 0. Without a lake, a log table begins where its log does (retention), but
   * a primary-key table needs every change since offset 0.
   */
  private static long tieredOffset(
      LogTable table, Optional<LakeSnapshot> lake, LogBucket bucket, long logStart) {
    if (lake.isPresent()) {
      return lake.get().tieredOffsets().getOrDefault(bucket, 0L);
    }
    return table.hasPrimaryKey() ? 0 : logStart;
  }

  private Map<LogBucket, LogPartition> buckets(LogTable table) {
    Map<LogBucket, LogPartition> buckets = new LinkedHashMap<>();
    if (!table.isPartitioned()) {
      for (int bucket = 0; bucket < table.buckets(); bucket++) {
        buckets.put(new LogBucket(null, bucket), null);
      }
      return buckets;
    }
    for (LogPartition partition : cluster.partitions(table)) {
      for (int bucket = 0; bucket < table.buckets(); bucket++) {
        buckets.put(new LogBucket(partition.id(), bucket), partition);
      }
    }
    return buckets;
  }
}
