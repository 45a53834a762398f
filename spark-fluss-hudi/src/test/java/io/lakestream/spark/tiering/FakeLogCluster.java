package io.lakestream.spark.tiering;

import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LakeSnapshot;
import io.lakestream.spark.log.LakeSnapshotReporter;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.log.LogReaderFactory;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.testing.FailingLogCluster;
import io.lakestream.spark.types.TablePath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster with one table, held in memory. Notes what the round changes and asks in {@link
 * #operations}; whatever a round has no business with fails.
 */
final class FakeLogCluster extends FailingLogCluster implements LakeSnapshotReporter {
  static final long TIMESTAMP = 1_700_000_000_000L;

  final List<String> operations;
  final List<LogPartition> partitions = new ArrayList<>();
  final Map<LogBucket, Long> earliest = new HashMap<>();
  final Map<LogBucket, Long> latest = new HashMap<>();
  private final Map<LogBucket, List<FakeLogRecord>> records = new HashMap<>();
  LogTable table;
  LakeSnapshot snapshot;
  Duration timeToLive;
  RuntimeException reportFailure;
  boolean failFirstAttempts;

  FakeLogCluster(LogTable table, List<String> operations) {
    this.table = table;
    this.operations = operations;
  }

  /** Appends a record to a bucket and returns its offset. */
  long append(LogBucket bucket, ChangeKind kind, Object... values) {
    long offset = latest.getOrDefault(bucket, 0L);
    records
        .computeIfAbsent(bucket, ignored -> new ArrayList<>())
        .add(new FakeLogRecord(kind, offset, TIMESTAMP + offset, Arrays.asList(values)));
    latest.put(bucket, offset + 1);
    return offset;
  }

  /** Takes an offset without a record, as a batch without effect does. */
  void skipOffset(LogBucket bucket) {
    latest.merge(bucket, 1L, Long::sum);
  }

  @Override
  public LogTable table(TablePath path) {
    return table;
  }

  @Override
  public List<LogPartition> partitions(LogTable table) {
    return partitions;
  }

  @Override
  public Optional<LakeSnapshot> readableLakeSnapshot(LogTable table) {
    return Optional.ofNullable(snapshot);
  }

  @Override
  public Optional<Duration> timeToLive(LogTable table) {
    return Optional.ofNullable(timeToLive);
  }

  @Override
  public Map<LogBucket, Long> earliestOffsets(LogTable table, Collection<LogBucket> buckets) {
    Map<LogBucket, Long> offsets = new HashMap<>();
    buckets.forEach(bucket -> offsets.put(bucket, earliest.getOrDefault(bucket, 0L)));
    return offsets;
  }

  @Override
  public Map<LogBucket, Long> latestOffsets(LogTable table, Collection<LogBucket> buckets) {
    operations.add("latest offsets");
    Map<LogBucket, Long> offsets = new HashMap<>();
    buckets.forEach(bucket -> offsets.put(bucket, latest.getOrDefault(bucket, 0L)));
    return offsets;
  }

  @Override
  public LogReaderFactory readerFactory(LogTable table) {
    return new FakeLogReaders(table.schema(), new HashMap<>(records), failFirstAttempts);
  }

  @Override
  public LakeSnapshotReporter snapshotReporter(LogTable table) {
    return this;
  }

  @Override
  public String prepare(Map<LogBucket, Long> offsets) {
    operations.add("prepare");
    return "/offsets/" + operations.size();
  }

  @Override
  public void commit(long snapshotId, String offsetsPath, Map<LogBucket, Long> offsets) {
    operations.add("report " + snapshotId);
    if (reportFailure != null) {
      throw reportFailure;
    }
    snapshot = new LakeSnapshot(snapshotId, offsets);
  }

  @Override
  public String address() {
    return "fake:1";
  }
}
