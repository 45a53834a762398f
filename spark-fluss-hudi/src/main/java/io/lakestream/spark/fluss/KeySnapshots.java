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
import java.util.concurrent.ExecutionException;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.client.metadata.KvSnapshots;
import org.apache.fluss.exception.KvSnapshotNotExistException;
import org.apache.fluss.exception.PartitionNotExistException;
import org.apache.fluss.metadata.PartitionInfo;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TablePath;

/**
 * The newest key snapshots of a table's buckets. The cluster deletes a snapshot when it has a newer
 * one, unless a lease holds it: so each answer takes a lease of its own, which nobody gives back
 * and which ends by itself. A lease on a snapshot that is gone is granted all the same (Fluss
 * 0.9.1), so that it is there is asked afterwards.
 */
final class KeySnapshots {
  /** How long a job may read a snapshot after it was planned. */
  static final Duration LEASE = Duration.ofHours(12);

  private static final int ATTEMPTS = 3;

  private final Requests requests;
  private final LogTable table;

  KeySnapshots(Requests requests, LogTable table) {
    this.requests = requests;
    this.table = table;
  }

  /** The newest snapshots; buckets without one, or of partitions that are gone, are left out. */
  Map<LogBucket, KeySnapshot> latest(Collection<LogBucket> buckets) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Map<LogBucket, KeySnapshot> found =
          requests.blocking(table.path(), "list key snapshots", c -> list(c, buckets));
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
   * Keeps snapshots readable for the time of a {@link #LEASE}.
   *
   * @param ids the snapshot wanted of each bucket
   * @return the buckets whose snapshot is there
   */
  Set<LogBucket> hold(Map<LogBucket, Long> ids) {
    return ids.isEmpty()
        ? Set.of()
        : requests.blocking(table.path(), "hold key snapshots", c -> hold(c.getAdmin(), ids));
  }

  private Set<LogBucket> hold(Admin admin, Map<LogBucket, Long> ids)
      throws ExecutionException, InterruptedException {
    Map<TableBucket, Long> wanted = new HashMap<>();
    ids.forEach((bucket, id) -> wanted.put(FlussTables.bucket(table, bucket), id));
    admin
        .createKvSnapshotLease("lakestream-" + UUID.randomUUID(), LEASE.toMillis())
        .acquireSnapshots(wanted)
        .get();
    Set<LogBucket> held = new HashSet<>();
    for (Map.Entry<TableBucket, Long> entry : wanted.entrySet()) {
      try {
        admin.getKvSnapshotMetadata(entry.getKey(), entry.getValue()).get();
        held.add(FlussTables.bucket(entry.getKey()));
      } catch (ExecutionException e) {
        if (!(FlussErrors.unwrap(e) instanceof KvSnapshotNotExistException)) {
          throw e;
        }
      }
    }
    return held;
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
