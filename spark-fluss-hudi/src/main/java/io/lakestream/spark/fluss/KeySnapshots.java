package io.lakestream.spark.fluss;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.KeySnapshot;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogTable;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.client.metadata.KvSnapshotMetadata;
import org.apache.fluss.client.metadata.KvSnapshots;
import org.apache.fluss.exception.KvSnapshotNotExistException;
import org.apache.fluss.exception.PartitionNotExistException;
import org.apache.fluss.metadata.PartitionInfo;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TablePath;

/**
 * The newest key snapshots of a table's buckets. The cluster deletes a snapshot when it has a newer
 * one, unless a lease holds it: so answers take leases, which nobody gives back and which end by
 * themselves. A snapshot that this JVM holds for long enough gets no other lease, for the cluster
 * keeps a record of each. A lease on a snapshot that is gone is granted all the same (Fluss 0.9.1),
 * so that it is there is asked afterwards.
 */
final class KeySnapshots {
  /** How long a job may read a snapshot after it was planned, at the least. */
  static final Duration PROMISE = Duration.ofHours(12);

  private static final Duration LEASE = PROMISE.multipliedBy(2);

  /** Until when leases of this JVM hold which snapshots, by {@link System#nanoTime}. */
  private static final Map<Held, Long> LEASES = new ConcurrentHashMap<>();

  private record Held(String cluster, TableBucket bucket, long snapshotId) {}

  private static final int ATTEMPTS = 3;

  private final String cluster;
  private final Requests requests;
  private final LogTable table;

  KeySnapshots(String cluster, Requests requests, LogTable table) {
    this.cluster = cluster;
    this.requests = requests;
    this.table = table;
  }

  /** The newest snapshots; buckets without one, or of partitions that are gone, are left out. */
  Map<LogBucket, KeySnapshot> latest(Collection<LogBucket> buckets) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Map<LogBucket, KeySnapshot> found =
          requests.repeating(table.path(), "list key snapshots", c -> list(c, buckets));
      Map<LogBucket, Long> ids = new HashMap<>();
      found.forEach((bucket, snapshot) -> ids.put(bucket, snapshot.id()));
      if (hold(ids).equals(ids.keySet())) {
        return found;
      }
    }
    throw LakestreamException.of(
        ErrorCode.LOG_UNREADABLE,
        table.path(),
        "key snapshots that the cluster lists are not in its remote storage.",
        "Check 'remote.data.dir' on the servers; if it is readable, snapshots are deleted faster than"
            + " they can be held: raise 'kv.snapshot.interval', and run the query again.");
  }

  /**
   * Keeps snapshots readable for the time of a {@link #PROMISE}.
   *
   * @param ids the snapshot wanted of each bucket
   * @return the buckets whose snapshot is there
   */
  Set<LogBucket> hold(Map<LogBucket, Long> ids) {
    Map<TableBucket, Long> wanted = new HashMap<>();
    ids.forEach((bucket, id) -> wanted.put(FlussTables.bucket(table, bucket), id));
    Set<LogBucket> held = new HashSet<>();
    long now = System.nanoTime();
    LEASES.values().removeIf(end -> end - now < PROMISE.toNanos());
    wanted.entrySet().removeIf(entry -> isHeld(entry) && held.add(bucket(entry)));
    if (!wanted.isEmpty()) {
      held.addAll(
          requests.repeating(
              table.path(), "hold key snapshots", c -> lease(c.getAdmin(), wanted, now)));
    }
    return held;
  }

  private boolean isHeld(Map.Entry<TableBucket, Long> snapshot) {
    return LEASES.containsKey(new Held(cluster, snapshot.getKey(), snapshot.getValue()));
  }

  private static LogBucket bucket(Map.Entry<TableBucket, ?> entry) {
    return FlussTables.bucket(entry.getKey());
  }

  private Set<LogBucket> lease(Admin admin, Map<TableBucket, Long> wanted, long now)
      throws ExecutionException, InterruptedException {
    admin
        .createKvSnapshotLease("lakestream-" + UUID.randomUUID(), LEASE.toMillis())
        .acquireSnapshots(wanted)
        .get();
    Map<TableBucket, CompletableFuture<KvSnapshotMetadata>> answers = new HashMap<>();
    wanted.forEach((bucket, id) -> answers.put(bucket, admin.getKvSnapshotMetadata(bucket, id)));
    Set<LogBucket> there = new HashSet<>();
    for (Map.Entry<TableBucket, CompletableFuture<KvSnapshotMetadata>> entry : answers.entrySet()) {
      try {
        entry.getValue().get();
        there.add(bucket(entry));
        LEASES.put(
            new Held(cluster, entry.getKey(), wanted.get(entry.getKey())), now + LEASE.toNanos());
      } catch (ExecutionException e) {
        if (!(FlussErrors.unwrap(e) instanceof KvSnapshotNotExistException)) {
          throw e;
        }
      }
    }
    return there;
  }

  private Map<LogBucket, KeySnapshot> list(
      FlussConnection connection, Collection<LogBucket> buckets)
      throws ExecutionException, InterruptedException {
    Admin admin = connection.getAdmin();
    TablePath path = FlussTables.path(table.path());
    Map<LogBucket, KeySnapshot> found = new TreeMap<>();
    if (table.isPartitioned()) {
      Set<Long> wanted = new HashSet<>();
      buckets.forEach(bucket -> wanted.add(bucket.partitionId()));
      for (PartitionInfo partition : admin.listPartitionInfos(path).get()) {
        if (wanted.contains(partition.getPartitionId())) {
          try {
            add(admin.getLatestKvSnapshots(path, partition.getPartitionName()).get(), found);
          } catch (ExecutionException e) {
            if (!(FlussErrors.unwrap(e) instanceof PartitionNotExistException)) {
              throw e;
            }
          }
        }
      }
    } else {
      add(admin.getLatestKvSnapshots(path).get(), found);
    }
    found.keySet().retainAll(buckets);
    return found;
  }

  private void add(KvSnapshots snapshots, Map<LogBucket, KeySnapshot> found) {
    FlussTables.requireSame(table, snapshots.getTableId());
    for (int bucket : snapshots.getBucketIds()) {
      OptionalLong id = snapshots.getSnapshotId(bucket);
      OptionalLong offset = snapshots.getLogOffset(bucket);
      if (id.isPresent() && offset.isPresent()) {
        found.put(
            new LogBucket(snapshots.getPartitionId(), bucket),
            new KeySnapshot(id.getAsLong(), offset.getAsLong()));
      }
    }
  }
}
