package io.lakestream.spark.tiering;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LakeSnapshot;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.log.LogReader;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.TablePath;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.types.StructType;

/** Finds out how far the tiering of a table is. Changes nothing. Thread-safe. */
public final class StatusReader {
  private final LogCluster cluster;
  private final Clock clock;

  public StatusReader(LogCluster cluster, Clock clock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  /**
   * Asks the cluster; reads one record of each bucket that is not wholly tiered, to learn its age.
   *
   * @throws LakestreamException as the cluster does
   */
  public TableStatus read(TablePath path) {
    LogTable table = cluster.table(path);
    Optional<LakeSnapshot> lake = cluster.readableLakeSnapshot(table);
    Optional<Duration> timeToLive = cluster.timeToLive(table);
    Map<LogBucket, Optional<LogPartition>> buckets = TableBuckets.of(cluster, table);
    Map<LogBucket, Long> earliest = cluster.earliestOffsets(table, buckets.keySet());
    Map<LogBucket, Long> latest = cluster.latestOffsets(table, buckets.keySet());
    List<BucketStatus> result = new ArrayList<>();
    buckets.forEach(
        (bucket, partition) -> {
          Long start = earliest.get(bucket);
          Long end = latest.get(bucket);
          if (start != null && end != null) {
            String name = partition.map(LogPartition::name).orElse(null);
            long tiered = tiered(table, lake, bucket, start);
            Optional<Instant> oldest = firstTimestamp(table, bucket, name, start, tiered, end);
            Optional<Duration> age =
                oldest.map(written -> Duration.between(written, clock.instant()));
            result.add(
                new BucketStatus(
                    bucket,
                    name,
                    start,
                    tiered,
                    end,
                    oldest,
                    age,
                    age.flatMap(old -> timeToLive.map(keeps -> keeps.minus(old)))));
          }
        });
    return new TableStatus(
        path, table.tableId(), lake.map(LakeSnapshot::instant), timeToLive, result);
  }

  /** A log table that was never tiered begins at what its retention has left, by contract. */
  private static long tiered(
      LogTable table, Optional<LakeSnapshot> lake, LogBucket bucket, long start) {
    if (lake.isEmpty()) {
      return table.hasPrimaryKey() ? 0 : start;
    }
    return lake.get().tieredOffsets().getOrDefault(bucket, 0L);
  }

  private Optional<Instant> firstTimestamp(
      LogTable table, LogBucket bucket, String partition, long start, long tiered, long end) {
    long from = Math.max(start, tiered);
    if (from >= end) {
      return Optional.empty();
    }
    LogRange range = new LogRange(bucket, partition, from, end);
    try (LogReader reader = cluster.readerFactory(table).open(range, new StructType())) {
      return reader.next()
          ? Optional.of(Instant.ofEpochMilli(reader.timestamp()))
          : Optional.empty();
    } catch (IOException failure) {
      throw LakestreamException.of(
          ErrorCode.LOG_UNREADABLE,
          table.path(),
          range.where() + ": the age of offset " + from + " cannot be read.",
          "Ask again; see the cause.",
          failure);
    }
  }
}
