package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.hudi.HudiLakeCatalog;
import io.lakestream.spark.hudi.LakeRows;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.lake.LakeTable;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.PartitionKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.client.SparkRDDWriteClient;
import org.apache.hudi.client.common.HoodieSparkEngineContext;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Merging the small files of log tables, and what is read before, beside and after it. */
class ClusteringHudiTest extends HudiTieringTestBase {
  private static final long FILE_SIZE = 1 << 27;
  private static final String[] STORED = {
    "_hoodie_commit_time",
    "_hoodie_commit_seqno",
    "_hoodie_record_key",
    "_hoodie_partition_path",
    "__bucket",
    "__offset",
    "__timestamp",
    "id",
    "name"
  };

  private List<LogBucket> buckets = List.of();
  private int written;

  private void useLog(boolean partitioned) {
    buckets = new ArrayList<>();
    if (!partitioned) {
      use(TestTables.log(2));
      addBuckets(null);
      return;
    }
    use(
        TestTables.table(
            "events",
            TestTables.columns(
                "id", LogicalType.of(Kind.INTEGER),
                "name", LogicalType.of(Kind.STRING),
                "day", LogicalType.of(Kind.STRING).withNullable(false)),
            List.of(),
            List.of("day"),
            List.of("id"),
            2));
    for (long partition = 1; partition <= 2; partition++) {
      String day = "d" + partition;
      cluster.partitions.add(
          new LogPartition(partition, day, new PartitionKey(List.of(UTF8String.fromString(day)))));
      addBuckets(partition);
    }
  }

  private void addBuckets(Long partition) {
    buckets.add(new LogBucket(partition, 0));
    buckets.add(new LogBucket(partition, 1));
  }

  /** A round with rows in every bucket, one of them twice. */
  private String roundOfAll() {
    for (LogBucket bucket : buckets) {
      for (int i : List.of(written, written + 1, written)) {
        UTF8String name = UTF8String.fromString("v" + i);
        if (bucket.partitionId() == null) {
          cluster.append(bucket, ChangeKind.INSERT, i, name);
        } else {
          UTF8String day = UTF8String.fromString("d" + bucket.partitionId());
          cluster.append(bucket, ChangeKind.INSERT, i, name, day);
        }
      }
    }
    written += 2;
    return round().instant().orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void filesOfABucketBecomeOneAndNoRowChanges(boolean partitioned) throws IOException {
    useLog(partitioned);
    Map<String, List<String>> asOf = new LinkedHashMap<>();
    for (int i = 0; i < 4; i++) {
      String instant = roundOfAll();
      asOf.put(instant, ours(instant));
    }
    String newest = cluster.snapshot.instant();
    List<String> stored = rows(STORED);
    assertThat(slices(newest)).hasSize(4 * buckets.size());
    assertThat(cluster(5)).isEmpty();

    String clustering = cluster(4).orElseThrow();

    assertThat(timeline()).contains("replacecommit COMPLETED");
    assertThat(clustering).isGreaterThan(newest);
    assertThat(cluster.snapshot.instant()).isEqualTo(newest);
    assertThat(open().latestInstant()).contains(newest);
    assertThat(rows(STORED)).isEqualTo(stored);
    assertOneOrderedFilePerBucket(newest);
    for (Map.Entry<String, List<String>> instant : asOf.entrySet()) {
      assertThat(ours(instant.getKey())).isEqualTo(instant.getValue());
    }
    assertThat(cluster(1)).isEmpty();

    for (int i = 0; i < 2; i++) {
      String instant = roundOfAll();
      asOf.put(instant, ours(instant));
    }
    stored = rows(STORED);
    assertThat(stored).hasSize(18 * buckets.size());
    assertThat(cluster(1)).isPresent();
    assertThat(rows(STORED)).isEqualTo(stored);

    withoutMetadataTable();
    assertThat(
            spark
                .read()
                .format("hudi")
                .option("hoodie.metadata.enable", "false")
                .load(settings.lakePath())
                .selectExpr(STORED)
                .collectAsList()
                .stream()
                .map(Row::toString)
                .sorted()
                .toList())
        .isEqualTo(stored);
    for (Map.Entry<String, List<String>> instant : asOf.entrySet()) {
      assertThat(ours(instant.getKey())).isEqualTo(instant.getValue());
    }
  }

  @Test
  void oneThatDiedIsRunAgainAndRoundsGoOnBesideIt() throws IOException {
    useLog(false);
    roundOfAll();
    String before = roundOfAll();
    List<String> rows = ours(before);
    Path source = Path.of(slices(before).get(0).baseFile().path().replaceFirst("^file:", ""));
    Path away = directory.resolve("away.parquet");
    Files.move(source, away);
    assertThatThrownBy(() -> cluster(1))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_FAILED))
        .hasMessageContaining("the clustering failed");
    Files.move(away, source);
    assertThat(timeline()).contains("clustering INFLIGHT");
    assertThat(ours(before)).isEqualTo(rows);
    assertThat(rows("id")).hasSize(rows.size());
    assertThatThrownBy(() -> cluster(1))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_CONFLICT))
        .hasMessageContaining("is being run by another job");

    String beside = roundOfAll();
    List<String> more = ours(beside);
    assertThat(more).hasSize(18);
    silenceWriters();
    assertThat(cluster(1)).isPresent();
    assertThat(timeline())
        .contains("replacecommit COMPLETED")
        .doesNotContain("clustering INFLIGHT");
    assertThat(ours(before)).isEqualTo(rows);
    assertThat(ours(beside)).isEqualTo(more);
    assertThat(rows("id")).hasSize(18);
    // One merged file and one of the round beside it, in each bucket.
    assertThat(slices(beside)).hasSize(4);
    roundOfAll();
    assertThat(rows("id")).hasSize(24);
  }

  @Test
  void oneThatAnotherWriterPlannedIsLeftAlone() {
    useLog(false);
    roundOfAll();
    roundOfAll();
    spark.sql(
        "call run_clustering(path => '"
            + settings.lakePath()
            + "', op => 'schedule', options => 'hoodie.index.type=SIMPLE')");
    assertThat(timeline()).contains("clustering REQUESTED");
    assertThatThrownBy(() -> cluster(1))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_CONFLICT))
        .hasMessageContaining("was planned by another writer");
    assertThat(timeline()).contains("clustering REQUESTED");
  }

  @Test
  void theNewestRoundIsReadFromMergedFilesOnceTheOldOnesAreCleaned() throws IOException {
    useLog(false);
    roundOfAll();
    String newest = roundOfAll();
    List<String> rows = ours(newest);
    cluster(1).orElseThrow();
    cleanAllButTheNewestVersions();
    assertThat(dataFiles()).isEqualTo(2);
    assertThat(cluster.snapshot.instant()).isEqualTo(newest);
    assertThat(ours(newest)).isEqualTo(rows);
    assertThat(rows("id")).hasSize(12);
    String later = roundOfAll();
    assertThat(ours(later)).hasSize(18);
    assertThat(ours(newest)).isEqualTo(rows);
  }

  @Test
  void theHousekeepingOfALogTableKeepsRowsAndSnapshots() throws IOException {
    useLog(false);
    for (int i = 0; i < 6; i++) {
      String instant = roundOfAll();
      List<String> rows = ours(instant);
      cluster(2);
      tiering.clean(cluster.table.path(), settings, Duration.ofHours(1), 1);
      assertThat(ours(instant)).isEqualTo(rows).hasSize(6 * (i + 1));
      assertThat(rows("id")).hasSize(6 * (i + 1));
      assertThat(cluster.snapshot.instant()).isEqualTo(instant);
    }
    assertThat(timeline().stream().filter("replacecommit COMPLETED"::equals)).hasSize(3);
  }

  private Optional<String> cluster(int minimumRounds) {
    return tiering.cluster(cluster.table.path(), settings, minimumRounds, FILE_SIZE);
  }

  private void assertOneOrderedFilePerBucket(String instant) {
    List<LakeSlice> slices = slices(instant);
    assertThat(slices).hasSize(buckets.size());
    for (LakeSlice slice : slices) {
      assertThat(slice.bucket()).isIn(0, 1);
      assertThat(slice.fileId()).startsWith("0000000" + slice.bucket() + "-");
      List<Row> rows =
          spark
              .read()
              .parquet(slice.baseFile().path())
              .select("__bucket", "__offset")
              .collectAsList();
      assertThat(rows).hasSize(12);
      for (int offset = 0; offset < 12; offset++) {
        assertThat(rows.get(offset).getInt(0)).isEqualTo(slice.bucket());
        assertThat(rows.get(offset).getLong(1)).isEqualTo(offset);
      }
    }
  }

  private LakeTable open() {
    return new HudiLakeCatalog(Configuration::new)
        .open(
            cluster.table.path(),
            settings.lakePath(),
            cluster.table.schema(),
            cluster.table.partitionColumns(),
            cluster.table.buckets());
  }

  private List<LakeSlice> slices(String instant) {
    return open().slices(instant, partition -> true);
  }

  private List<String> ours(String instant) throws IOException {
    return LakeRows.read(open(), instant, cluster.table.schema()).stream()
        .map(Map::toString)
        .sorted()
        .toList();
  }

  private void withoutMetadataTable() {
    HoodieTableMetaClient client = metaClient();
    client.getTableConfig().clearMetadataPartitions(client);
    assertThat(metaClient().getTableConfig().isMetadataTableAvailable()).isFalse();
  }

  private void cleanAllButTheNewestVersions() {
    Properties options = new Properties();
    options.setProperty("hoodie.clean.policy", "KEEP_LATEST_FILE_VERSIONS");
    options.setProperty("hoodie.clean.fileversions.retained", "1");
    options.setProperty("hoodie.embed.timeline.server", "false");
    HoodieWriteConfig config =
        HoodieWriteConfig.newBuilder()
            .withPath(settings.lakePath())
            .forTable("events")
            .withProps(options)
            .build();
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    try (SparkRDDWriteClient<Object> client =
        new SparkRDDWriteClient<>(new HoodieSparkEngineContext(context), config)) {
      client.clean();
    }
  }

  private long dataFiles() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("lake"))) {
      return files
          .filter(file -> !file.toString().contains("/.hoodie/"))
          .filter(file -> file.toString().endsWith(".parquet"))
          .count();
    }
  }
}
