package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.hudi.HudiLakeCatalog;
import io.lakestream.spark.hudi.HudiLakeTables;
import io.lakestream.spark.hudi.LakeRows;
import io.lakestream.spark.hudi.PastInstants;
import io.lakestream.spark.lake.LakeTable;
import io.lakestream.spark.lake.LakeTables;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogBucket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.metadata.HoodieTableMetadata;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cleaning and archiving, and what can be read after them. */
class HousekeepingHudiTest extends HudiTieringTestBase {
  private static final LogBucket BUCKET = new LogBucket(null, 0);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final DateTimeFormatter INSTANT = DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS");

  @Test
  void whatIsYoungerThanTheRetentionStaysReadable() throws IOException {
    use(TestTables.primaryKey(1));
    List<String> instants = threeRoundsAndACompaction();
    long files = dataFiles();
    assertThat(clean(DAY)).isEmpty();
    assertThat(dataFiles()).isEqualTo(files);
    assertThat(names(instants.get(0))).containsExactly("v0");
    assertThat(names(instants.get(1))).containsExactly("v1");
    assertThat(names(instants.get(2))).containsExactly("v2");
  }

  @Test
  void whatIsOlderIsCleanedAndTheNewestStays() throws IOException {
    use(TestTables.primaryKey(1));
    List<String> instants = oldRoundsAndACompaction();
    upsert("v3");
    round();
    assertThat(names(instants.get(0))).containsExactly("v0");
    assertThat(names(instants.get(2))).containsExactly("v2");
    long files = dataFiles();
    assertThat(clean(DAY)).isEmpty();
    assertThat(clean(HOUR)).isPresent();
    assertThat(dataFiles()).isLessThan(files);
    assertThatThrownBy(() -> names(instants.get(0)))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.LAKE_SNAPSHOT_GONE))
        .hasMessageContaining(instants.get(0));
    // It was the newest until just now.
    assertThat(names(instants.get(2))).containsExactly("v2");
    assertThat(names(cluster.snapshot.instant())).containsExactly("v3");
    assertThat(rows("name")).containsExactly("[v3]");

    upsert("v4");
    round();
    assertThat(names(cluster.snapshot.instant())).containsExactly("v4");
    assertThat(rows("name")).containsExactly("[v4]");
  }

  @Test
  void whatWasTheNewestWhenTheRetentionBeganStaysReadable() throws IOException {
    use(TestTables.primaryKey(1));
    String first = oldRound("v0", 400);
    oldRound("v1", 390);
    compactedInThePast(370);
    String newestThen = oldRound("v2", 300);
    String longRound = oldRound("v3", 200, 30);
    assertThat(names(first)).containsExactly("v0");
    assertThat(clean(HOUR)).isPresent();
    assertThatThrownBy(() -> names(first))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.LAKE_SNAPSHOT_GONE))
        .hasMessageContaining(first);
    assertThat(names(newestThen)).containsExactly("v2");
    assertThat(names(longRound)).containsExactly("v3");
  }

  @Test
  void noCompactionIsScheduledBeforeTheRoundsThatItCompacts() {
    use(TestTables.primaryKey(1));
    upsert("v0");
    round();
    upsert("v1");
    String ahead = roundAt(past(-60));
    List<String> before = timeline();
    assertThatThrownBy(() -> tiering.compact(cluster.table.path(), settings, 1))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_FAILED))
        .hasMessageContaining("is not greater than the instant " + ahead + " on its timeline");
    assertThat(timeline()).isEqualTo(before);
  }

  @Test
  void theMetadataTableIsCompactedHoweverManyInstantsTheTableHas() {
    use(TestTables.primaryKey(1));
    for (int i = 0; i < 14; i++) {
      // Never a multiple of ten when the round begins.
      if (i > 1 && timeline().size() % 10 == 0) {
        tiering.compact(cluster.table.path(), settings, 1).orElseThrow();
      }
      upsert("v" + i);
      round();
    }
    assertThat(metadataTableTimeline()).contains("commit COMPLETED");
  }

  private List<String> metadataTableTimeline() {
    return HoodieTableMetaClient.builder()
        .setBasePath(HoodieTableMetadata.getMetadataTableBasePath(settings.lakePath()))
        .setConf(metaClient().getStorageConf())
        .build()
        .getActiveTimeline()
        .getInstantsAsStream()
        .map(instant -> instant.getAction() + " " + instant.getState())
        .toList();
  }

  @Test
  void aRoundThatWasNotReportedIsReportedBeforeItIsCleaned() throws IOException {
    use(TestTables.primaryKey(1));
    threeRoundsAndACompaction();
    upsert("v3");
    cluster.reportFailure = new IllegalStateException("connection lost");
    assertThatThrownBy(this::round).hasMessageContaining("connection lost");
    String before = cluster.snapshot.instant();
    cluster.reportFailure = null;
    clean(HOUR);
    assertThat(cluster.snapshot.instant()).isGreaterThan(before);
    assertThat(names(cluster.snapshot.instant())).containsExactly("v3");
  }

  @Test
  void manyRoundsAreArchivedAndTheNextRoundGoesOn() throws IOException {
    use(TestTables.log(1));
    for (int i = 0; i < 35; i++) {
      cluster.append(BUCKET, ChangeKind.INSERT, i, UTF8String.fromString("v"));
      round();
    }
    clean(Duration.ZERO);
    assertThat(timeline().stream().filter("commit COMPLETED"::equals).count()).isBetween(20L, 30L);
    cluster.append(BUCKET, ChangeKind.INSERT, 35, UTF8String.fromString("v"));
    assertThat(round().rows()).isEqualTo(1);
    assertThat(names(cluster.snapshot.instant())).hasSize(36);
    assertThat(rows("id")).hasSize(36);
  }

  @Test
  @Tag("R-26")
  void theNewestRoundIsFoundThoughItWasArchived() throws IOException {
    use(TestTables.primaryKey(1));
    upsert("v0");
    String only = round().instant().orElseThrow();
    // Commits of somebody else push it out of the active timeline.
    spark.conf().set("spark.sql.shuffle.partitions", "1");
    for (int i = 0; i < 12; i++) {
      lake()
          .selectExpr("id", "'other' as name", "__bucket", "__offset", "__timestamp")
          .write()
          .format("hudi")
          .option("hoodie.table.name", "users")
          .option("hoodie.datasource.write.recordkey.field", "id")
          .option("hoodie.datasource.write.operation", "upsert")
          .option("hoodie.index.type", "BUCKET")
          .option("hoodie.bucket.index.num.buckets", "1")
          .option("hoodie.clean.automatic", "true")
          .option("hoodie.clean.commits.retained", "1")
          .option("hoodie.keep.min.commits", "3")
          .option("hoodie.keep.max.commits", "4")
          .option("hoodie.archive.automatic", "true")
          .mode("append")
          .save(settings.lakePath());
    }
    assertThat(metaClient().getActiveTimeline().containsInstant(only)).isFalse();
    upsert("v1");
    RoundResult next = round();
    assertThat(next.rows()).isEqualTo(1);
    assertThat(next.recoveredInstant()).isEmpty();
    assertThat(names(cluster.snapshot.instant())).containsExactly("v1");
  }

  private List<String> threeRoundsAndACompaction() {
    List<String> instants = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      upsert("v" + i);
      instants.add(round().instant().orElseThrow());
    }
    tiering.compact(cluster.table.path(), settings, 1).orElseThrow();
    return instants;
  }

  /** Rounds that were some hours ago, with a compaction between them, as the timeline tells it. */
  private List<String> oldRoundsAndACompaction() throws IOException {
    List<String> instants = new ArrayList<>();
    instants.add(oldRound("v0", 300));
    instants.add(oldRound("v1", 240));
    compactedInThePast(200);
    instants.add(oldRound("v2", 90));
    return instants;
  }

  private void compactedInThePast(int minutesAgo) throws IOException {
    String compaction = past(minutesAgo);
    scheduleCompaction(compaction);
    assertThat(tiering.compact(cluster.table.path(), settings, 1)).contains(compaction);
    wasCompleted(compaction, compaction);
  }

  /** Changes the completion time, which is part of a file's name. */
  private void wasCompleted(String instant, String completion) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("lake/.hoodie/timeline"))) {
      Path completed =
          files
              .filter(file -> file.getFileName().toString().startsWith(instant + "_"))
              .findFirst()
              .orElseThrow();
      String name = completed.getFileName().toString();
      Files.move(
          completed,
          completed.resolveSibling(instant + "_" + completion + name.substring(name.indexOf('.'))));
    }
  }

  private String oldRound(String name, int minutesAgo) throws IOException {
    return oldRound(name, minutesAgo, minutesAgo);
  }

  private String oldRound(String name, int minutesAgo, int completedMinutesAgo) throws IOException {
    upsert(name);
    String instant = roundAt(past(minutesAgo));
    wasCompleted(instant, completedMinutesAgo == minutesAgo ? instant : past(completedMinutesAgo));
    return instant;
  }

  private String roundAt(String instant) {
    LakeTables lakes = new HudiLakeTables(spark, Map.of(), HEARTBEAT_TIMEOUT);
    new TieringRound(
            cluster,
            definition -> PastInstants.requesting(instant, lakes.openOrCreate(definition)),
            new SparkRoundExecutor(spark),
            path -> Optional.empty())
        .run(cluster.table.path(), settings);
    return instant;
  }

  private static String past(int minutesAgo) {
    return INSTANT.format(
        Instant.now().minus(Duration.ofMinutes(minutesAgo)).atZone(ZoneOffset.UTC));
  }

  private void upsert(String name) {
    cluster.append(BUCKET, ChangeKind.UPDATE_AFTER, 1, UTF8String.fromString(name));
  }

  private Optional<String> clean(Duration retention) {
    return tiering.clean(cluster.table.path(), settings, retention, 1);
  }

  private List<Object> names(String instant) throws IOException {
    LakeTable lake =
        new HudiLakeCatalog(Configuration::new)
            .open(
                cluster.table.path(),
                settings.lakePath(),
                cluster.table.schema(),
                List.of(),
                cluster.table.buckets());
    return LakeRows.read(lake, instant, cluster.table.schema()).stream()
        .map(row -> row.get("name"))
        .toList();
  }

  private long dataFiles() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("lake"))) {
      return files
          .filter(file -> !file.toString().contains("/.hoodie/"))
          .filter(file -> file.toString().matches(".*(\\.parquet|\\.log\\.).*"))
          .filter(file -> !file.toString().endsWith(".crc"))
          .count();
    }
  }
}
