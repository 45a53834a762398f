package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.hudi.HudiLakeTables;
import io.lakestream.spark.lake.LakeTableDefinition;
import io.lakestream.spark.lake.LakeTableWriter;
import io.lakestream.spark.log.LogTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.hudi.client.SparkRDDWriteClient;
import org.apache.hudi.client.common.HoodieSparkEngineContext;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.hudi.storage.hadoop.HadoopStorageConfiguration;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Rounds on real Hudi tables by a local Spark, with a log that is held in memory. */
abstract class HudiTieringTestBase {
  static final Duration HEARTBEAT_TIMEOUT = Duration.ofMinutes(1);

  static SparkSession spark;

  @TempDir Path directory;
  FakeLogCluster cluster;
  TieringRound tiering;
  TieringSettings settings;

  @BeforeAll
  static void startSpark() {
    spark =
        SparkSession.builder()
            .master("local[2,2]")
            .appName("tiering tests")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.datetime.java8API.enabled", "true")
            .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .config("spark.sql.extensions", "org.apache.spark.sql.hudi.HoodieSparkSessionExtension")
            .getOrCreate();
  }

  @AfterAll
  static void stopSpark() {
    spark.stop();
  }

  @BeforeEach
  void place() {
    settings = TieringSettings.at(directory.resolve("lake").toUri().toString());
  }

  void use(LogTable table) {
    cluster = new FakeLogCluster(table, new ArrayList<>());
    tiering = tiering(new SparkRoundExecutor(spark));
  }

  TieringRound tiering(RoundExecutor executor) {
    return new TieringRound(
        cluster,
        new HudiLakeTables(spark, Map.of(), HEARTBEAT_TIMEOUT),
        executor,
        path -> Optional.empty());
  }

  /** The lake's timeline and properties as they are now. */
  HoodieTableMetaClient metaClient() {
    return HoodieTableMetaClient.builder()
        .setBasePath(settings.lakePath())
        .setConf(new HadoopStorageConfiguration(spark.sparkContext().hadoopConfiguration()))
        .setLoadActiveTimelineOnLoad(true)
        .build();
  }

  /** The timeline as text, like {@code deltacommit COMPLETED}. */
  List<String> timeline() {
    return metaClient()
        .getActiveTimeline()
        .getInstantsAsStream()
        .map(instant -> instant.getAction() + " " + instant.getState())
        .toList();
  }

  RoundResult round() {
    return tiering.run(cluster.table.path(), settings);
  }

  Dataset<Row> lake() {
    return spark.read().format("hudi").load(settings.lakePath());
  }

  /** The rows of the lake as text, in the order of the text. */
  List<String> rows(String... columns) {
    return lake().selectExpr(columns).collectAsList().stream().map(Row::toString).sorted().toList();
  }

  /** Schedules a compaction, as any Hudi writer may, and does not run it. */
  void scheduleCompaction(String instant) {
    Properties options = new Properties();
    options.setProperty("hoodie.compact.inline.max.delta.commits", "1");
    options.setProperty("hoodie.embed.timeline.server", "false");
    HoodieWriteConfig config =
        HoodieWriteConfig.newBuilder()
            .withPath(settings.lakePath())
            .forTable("users")
            .withProps(options)
            .build();
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    try (SparkRDDWriteClient<Object> client =
        new SparkRDDWriteClient<>(new HoodieSparkEngineContext(context), config)) {
      client.scheduleCompactionAtInstant(instant, Option.empty());
    }
  }

  /** Makes the writers of all pending instants look silent for long. */
  void silenceWriters() {
    FileTime past = FileTime.from(Instant.now().minus(HEARTBEAT_TIMEOUT.multipliedBy(2)));
    for (String folder : List.of(".heartbeat", ".aux/lakestream-claims")) {
      Path signs = directory.resolve("lake/.hoodie").resolve(folder);
      try (Stream<Path> files = Files.list(signs)) {
        for (Path file : files.toList()) {
          Files.setLastModifiedTime(file, past);
        }
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  static LakeTableWriter open(LogTable table, String path) {
    return new HudiLakeTables(spark, Map.of(), HEARTBEAT_TIMEOUT)
        .openOrCreate(
            new LakeTableDefinition(
                table.path(),
                table.tableId(),
                path,
                table.schema(),
                table.primaryKey(),
                table.partitionColumns(),
                table.bucketColumns(),
                table.buckets(),
                false,
                List.of()));
  }

  static void assertConflict(ThrowingCallable action, String problem) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_CONFLICT))
        .hasMessageContaining(problem);
  }
}
