package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lakestream.spark.hudi.GoldenTables;
import io.lakestream.spark.hudi.GoldenTables.Golden;
import io.lakestream.spark.hudi.HudiLakeTables;
import io.lakestream.spark.hudi.LakeRows;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.lake.LakeTable;
import io.lakestream.spark.lake.RoundMetadata;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.PartitionKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tables that Fluss's own tiering began, continued by ours: the newest round is found by its
 * offsets file, new rows come to the old ones, and both readers see them, also as of the old
 * instants.
 */
class GoldenRoundHudiTest extends HudiTieringTestBase {
  private static final int NEW_ID = 1_000;

  @TempDir static Path folder;

  private static GoldenTables tables;

  static Stream<Golden> goldens() throws IOException {
    Optional<Path> archive = GoldenTables.archive();
    if (archive.isEmpty()) {
      System.out.println("golden tables are not at hand: set -Dlakestream.golden to their folder");
      assumeThat(archive).isPresent();
    }
    return GoldenTables.expected(archive.get()).stream();
  }

  @BeforeAll
  static void unpack() throws Exception {
    if (GoldenTables.archive().isPresent()) {
      tables = GoldenTables.unpack(GoldenTables.archive().get(), folder);
    }
  }

  /** Their primary-key tables have file groups of log files only. */
  @ParameterizedTest
  @Tag("R-23")
  @MethodSource("goldens")
  void isContinued(Golden golden) throws Exception {
    settings = TieringSettings.at(tables.path(golden).toString());
    LakeTable before = tables.open(golden);
    String oldest = before.latestInstant().orElseThrow();
    List<Map<String, Object>> oldRows = LakeRows.read(before, oldest, golden.schema());
    RoundOffsets offsets = newestOffsets();
    use(
        new LogTable(
            golden.tablePath(),
            offsets.tableId(),
            1,
            golden.schema(),
            golden.primaryKey(),
            golden.partitionColumns(),
            golden.primaryKey(),
            golden.buckets(),
            Map.of(),
            Map.of(),
            null));
    offsets.offsets().forEach(cluster.latest::put);
    tiering =
        new TieringRound(
            cluster,
            new HudiLakeTables(spark, Map.of(), HEARTBEAT_TIMEOUT),
            new SparkRoundExecutor(spark),
            path -> tables.offsetsFile(Path.of(path).getFileName().toString()));

    RoundResult recovered = round();
    assertThat(recovered.recoveredInstant()).contains(oldest);
    assertThat(recovered.instant()).isEmpty();
    assertThat(cluster.snapshot.tieredOffsets()).isEqualTo(offsets.offsets());

    List<Map<String, Object>> expected = new ArrayList<>(oldRows);
    change(golden, before.slices(oldest, key -> true), expected, offsets);
    String instant = round().instant().orElseThrow();
    assertSeen(golden, instant, expected);
    assertThat(LakeRows.read(tables.open(golden), oldest, golden.schema()))
        .as("as of the round of Fluss")
        .containsExactlyInAnyOrderElementsOf(oldRows);
    if (!golden.primaryKey().isEmpty()) {
      tiering.compact(cluster.table.path(), settings, 1).orElseThrow();
      assertSeen(golden, instant, expected);
    }
    assertThat(round().instant()).isEmpty();
  }

  /** In each bucket a new row; in a primary-key table also an update and a delete of old ones. */
  private void change(
      Golden golden,
      List<LakeSlice> slices,
      List<Map<String, Object>> expected,
      RoundOffsets offsets)
      throws IOException {
    Map<PartitionKey, Long> partitionIds = partitionIds(golden, slices, offsets);
    Map<LogBucket, List<Map<String, Object>>> rowsByBucket = new HashMap<>();
    Map<LogBucket, PartitionKey> partitions = new HashMap<>();
    LakeTable lake = tables.open(golden);
    String instant = lake.latestInstant().orElseThrow();
    for (LakeSlice slice : slices) {
      LogBucket bucket = new LogBucket(partitionIds.get(slice.partition()), slice.bucket());
      partitions.put(bucket, slice.partition());
      rowsByBucket
          .computeIfAbsent(bucket, ignored -> new ArrayList<>())
          .addAll(
              LakeRows.read(
                  lake.readerFactory(instant),
                  List.of(slice),
                  golden.schema(),
                  golden.schema().toSpark()));
    }
    int id = NEW_ID;
    for (Map.Entry<LogBucket, List<Map<String, Object>>> entry : rowsByBucket.entrySet()) {
      PartitionKey partition = partitions.get(entry.getKey());
      expected.add(append(golden, entry.getKey(), partition, ChangeKind.INSERT, id++));
      if (!golden.primaryKey().isEmpty() && entry.getValue().size() > 1) {
        Map<String, Object> updated = entry.getValue().get(0);
        Map<String, Object> deleted = entry.getValue().get(1);
        expected.remove(updated);
        expected.remove(deleted);
        expected.add(
            append(golden, entry.getKey(), partition, ChangeKind.UPDATE_AFTER, id(updated)));
        append(golden, entry.getKey(), partition, ChangeKind.DELETE, id(deleted));
      }
    }
  }

  private static int id(Map<String, Object> row) {
    return ((Number) row.get("id")).intValue();
  }

  private Map<String, Object> append(
      Golden golden, LogBucket bucket, PartitionKey partition, ChangeKind kind, int id) {
    Object[] values = new Object[golden.schema().columns().size()];
    Map<String, Object> row = new HashMap<>();
    golden.schema().columns().forEach(column -> row.put(column.name(), null));
    values[golden.schema().indexOf("id")] = id;
    row.put("id", (long) id);
    for (int i = 0; i < golden.partitionColumns().size(); i++) {
      String name = golden.partitionColumns().get(i);
      Object value = partition.values().get(i);
      values[golden.schema().indexOf(name)] = value;
      row.put(name, value.toString());
    }
    cluster.append(bucket, kind, values);
    return row;
  }

  private Map<PartitionKey, Long> partitionIds(
      Golden golden, List<LakeSlice> slices, RoundOffsets offsets) {
    Map<PartitionKey, Long> ids = new HashMap<>();
    if (golden.partitionColumns().isEmpty()) {
      ids.put(PartitionKey.NONE, null);
      return ids;
    }
    TreeMap<String, PartitionKey> keys = new TreeMap<>();
    slices.forEach(slice -> keys.put(slice.partitionPath(), slice.partition()));
    List<Long> known =
        offsets.offsets().keySet().stream()
            .map(LogBucket::partitionId)
            .distinct()
            .sorted()
            .toList();
    int next = 0;
    for (Map.Entry<String, PartitionKey> entry : keys.entrySet()) {
      long id = known.get(next++);
      ids.put(entry.getValue(), id);
      cluster.partitions.add(new LogPartition(id, entry.getKey(), entry.getValue()));
    }
    return ids;
  }

  /** What the newest round of Fluss wrote down, in the file that its commit names. */
  private RoundOffsets newestOffsets() throws IOException {
    var timeline = metaClient().getActiveTimeline().getCommitsTimeline().filterCompletedInstants();
    RoundOffsets newest = null;
    for (HoodieInstant instant : timeline.getInstants()) {
      String path = timeline.readCommitMetadata(instant).getMetadata(RoundMetadata.FLUSS_OFFSETS);
      Optional<String> text =
          path == null
              ? Optional.empty()
              : tables.offsetsFile(Path.of(path).getFileName().toString());
      newest = text.isPresent() ? RoundOffsets.parseFlussFile(text.get()) : newest;
    }
    assertThat(newest).isNotNull();
    return newest;
  }

  private void assertSeen(Golden golden, String instant, List<Map<String, Object>> expected)
      throws IOException {
    assertThat(LakeRows.read(tables.open(golden), instant, golden.schema()))
        .as("our reader")
        .containsExactlyInAnyOrderElementsOf(expected);
    boolean time =
        golden.schema().columns().stream()
            .anyMatch(column -> column.type().toString().startsWith("TIME("));
    if (!time) {
      assertThat(lake().select("id").collectAsList().stream().map(row -> row.getInt(0)).toList())
          .as("Hudi's reader")
          .containsExactlyInAnyOrderElementsOf(
              expected.stream().map(GoldenRoundHudiTest::id).toList());
    }
  }
}
