package io.lakestream.spark.fluss;

import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.client.admin.ListOffsetsResult;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.exception.PartitionNotExistException;
import org.apache.fluss.metadata.PartitionInfo;
import org.apache.fluss.metadata.TablePath;

/**
 * Where the logs of a table's buckets begin and end. Fluss answers by table name; that the name
 * means the same table all the while is checked before and after the answer.
 */
final class BucketOffsets {
  private final Requests requests;
  private final LogTable table;

  BucketOffsets(Requests requests, LogTable table) {
    this.requests = requests;
    this.table = table;
  }

  /** The offsets; buckets of partitions that are gone are left out. */
  Map<LogBucket, Long> list(Collection<LogBucket> buckets, OffsetSpec spec) {
    if (buckets.isEmpty()) {
      return Map.of();
    }
    return requests.repeating(table.path(), "list offsets", c -> list(c, buckets, spec));
  }

  private Map<LogBucket, Long> list(
      FlussConnection connection, Collection<LogBucket> buckets, OffsetSpec spec)
      throws ExecutionException, InterruptedException {
    TablePath path = FlussTables.path(table.path());
    requireSame(connection, path);
    Map<Optional<Long>, List<Integer>> byPartition = new LinkedHashMap<>();
    for (LogBucket bucket : buckets) {
      byPartition
          .computeIfAbsent(Optional.ofNullable(bucket.partitionId()), id -> new ArrayList<>())
          .add(bucket.bucket());
    }
    Map<Long, String> names = table.isPartitioned() ? names(connection, path) : Map.of();
    Map<LogBucket, Long> offsets = new TreeMap<>();
    Map<Long, ListOffsetsResult> pending = new HashMap<>();
    for (Map.Entry<Optional<Long>, List<Integer>> entry : byPartition.entrySet()) {
      Long partitionId = entry.getKey().orElse(null);
      if (partitionId != null && !names.containsKey(partitionId)) {
        continue;
      }
      try {
        pending.put(
            partitionId,
            partitionId == null
                ? connection.getAdmin().listOffsets(path, entry.getValue(), spec)
                : connection
                    .getAdmin()
                    .listOffsets(path, names.get(partitionId), entry.getValue(), spec));
      } catch (PartitionNotExistException e) {
        // It went after it was listed, which is the same as having been gone before.
        continue;
      }
    }
    for (Map.Entry<Long, ListOffsetsResult> entry : pending.entrySet()) {
      for (Map.Entry<Integer, Long> offset : entry.getValue().all().get().entrySet()) {
        offsets.put(new LogBucket(entry.getKey(), offset.getKey()), offset.getValue());
      }
    }
    requireSame(connection, path);
    return offsets;
  }

  private void requireSame(FlussConnection connection, TablePath path)
      throws ExecutionException, InterruptedException {
    FlussTables.requireSame(table, connection.getAdmin().getTableInfo(path).get().getTableId());
  }

  private static Map<Long, String> names(FlussConnection connection, TablePath path)
      throws ExecutionException, InterruptedException {
    Map<Long, String> names = new HashMap<>();
    for (PartitionInfo partition : connection.getAdmin().listPartitionInfos(path).get()) {
      names.put(partition.getPartitionId(), partition.getPartitionName());
    }
    return names;
  }
}
