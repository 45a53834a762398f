package io.lakestream.spark.it.fluss;

import static io.lakestream.spark.it.fluss.LogTables.column;
import static io.lakestream.spark.it.fluss.LogTables.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.fluss.FlussClusters;
import io.lakestream.spark.fluss.ReadSettings;
import io.lakestream.spark.it.cluster.EmbeddedFluss;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.log.LogReader;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.log.LogWriter;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that die, and logs that expire or move to remote storage. */
@Timeout(value = 4, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LogFailureTest {
  private static final int ROWS = 30_000;
  private static final LogBucket BUCKET = new LogBucket(null, 0);

  @TempDir Path directory;
  private EmbeddedFluss fluss;

  @BeforeEach
  void start() throws Exception {
    fluss =
        EmbeddedFluss.start(
            directory,
            1,
            Map.of("log.segment.file-size", "64kb", "remote.log.task-interval-duration", "500ms"));
  }

  @AfterEach
  void stop() {
    fluss.close();
  }

  private LogCluster connect(Duration idleTimeout, Duration requestTimeout) {
    return FlussClusters.connect(
        Map.of("bootstrap.servers", fluss.bootstrapServers()),
        requestTimeout,
        new ReadSettings(Duration.ofMillis(500), idleTimeout, 1000));
  }

  private static LogTable create(LogCluster cluster, Map<String, String> properties) {
    return LogTables.create(
        cluster,
        "events",
        LogTables.table(
            List.of(),
            List.of(),
            properties,
            column("id", LogicalType.of(Kind.INTEGER)),
            column("s", LogicalType.of(Kind.STRING))));
  }

  private static void write(LogCluster cluster, LogTable table, int from, int to)
      throws IOException {
    LogTables.write(
        cluster,
        table,
        IntStream.range(from, to)
            .mapToObj(i -> row(i, UTF8String.fromString(text(i))))
            .toArray(InternalRow[]::new));
  }

  /** Text that does not compress, so that segments fill up. */
  private static String text(int row) {
    return new Random(row).longs(12).mapToObj(Long::toHexString).collect(Collectors.joining());
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(90).toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("deadline of: " + what).isLessThan(deadline);
      Thread.sleep(100);
    }
  }

  /** A server that comes back cuts its log to what it had written down as acknowledged. */
  private void awaitDurable(int rows) throws Exception {
    Path checkpoint = directory.resolve("data-0").resolve("high-watermark-checkpoint");
    await(
        "the high watermark on disk",
        () ->
            Files.exists(checkpoint)
                && Files.readAllLines(checkpoint).stream()
                    .anyMatch(line -> line.matches("\\d+ 0 " + rows)));
  }

  @Test
  void readerSurvivesARestartOfTheTabletServer() throws Exception {
    LogCluster cluster = connect(Duration.ofSeconds(90), Duration.ofSeconds(20));
    LogTable table = create(cluster, Map.of());
    write(cluster, table, 0, ROWS);
    awaitDurable(ROWS);
    try (LogReader reader =
        cluster
            .readerFactory(table)
            .open(
                new LogRange(BUCKET, null, 0, ROWS),
                LogTables.columns(table, List.of("id", "s")))) {
      for (int i = 0; i < 1000; i++) {
        assertThat(reader.next()).isTrue();
      }
      fluss.killTabletServer(0);
      CompletableFuture<Void> restart = CompletableFuture.runAsync(this::restart);
      for (int i = 1000; i < ROWS; i++) {
        assertThat(reader.next()).as("row " + i).isTrue();
        assertThat(reader.offset()).isEqualTo(i);
        assertThat(reader.row().getInt(0)).isEqualTo(i);
      }
      assertThat(reader.next()).isFalse();
      restart.get();
    }
  }

  private void restart() {
    try {
      fluss.startTabletServer(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void readersAndWritersGiveUpOnADeadServer() throws Exception {
    LogCluster cluster = connect(Duration.ofSeconds(4), Duration.ofSeconds(3));
    LogTable table = create(cluster, Map.of());
    write(cluster, table, 0, 2000);
    try (LogWriter writer = cluster.writerFactory(table).open();
        LogReader reader =
            cluster
                .readerFactory(table)
                .open(
                    new LogRange(BUCKET, null, 0, 100_000),
                    LogTables.columns(table, List.of("id")))) {
      assertThat(reader.next()).isTrue();
      fluss.killTabletServer(0);
      assertThatThrownBy(
              () -> {
                while (reader.next()) {
                  assertThat(reader.offset()).isLessThan(2000);
                }
              })
          .isInstanceOfSatisfying(
              LakestreamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LOG_STALLED))
          .hasMessageContaining("fluss.events: bucket 0 made no progress at offset ")
          .hasMessageContaining("of [0, 100000) for 4 s");

      writer.write(row(1, UTF8String.fromString("lost")));
      assertThatThrownBy(writer::flush)
          .isInstanceOfSatisfying(
              LakestreamException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.WRITE_FAILED))
          .hasMessageContaining(
              "fluss.events: 1 of 1 rows were not acknowledged, and none was for 4 s.");
    }
    assertThatThrownBy(() -> cluster.table(table.path()))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CLUSTER_UNREACHABLE));
  }

  @Test
  void readsSegmentsThatMovedToRemoteStorage() throws Exception {
    LogCluster cluster = connect(Duration.ofSeconds(60), Duration.ofSeconds(20));
    LogTable table = create(cluster, Map.of("table.log.tiered.local-segments", "1"));
    for (int i = 0; i < 5; i++) {
      write(cluster, table, i * 2000, (i + 1) * 2000);
    }
    await("segments in remote storage", () -> remoteSegments() >= 3);
    try (LogReader reader =
        cluster
            .readerFactory(table)
            .open(
                new LogRange(BUCKET, null, 0, 10_000),
                LogTables.columns(table, List.of("s", "id")))) {
      for (int i = 0; i < 10_000; i++) {
        assertThat(reader.next()).as("row " + i).isTrue();
        assertThat(reader.row().getInt(1)).isEqualTo(i);
        assertThat(reader.row().getString(0)).isEqualTo(text(i));
      }
      assertThat(reader.next()).isFalse();
      assertThat(reader.bytesFetched()).isPositive();
    }
  }

  private long remoteSegments() throws IOException {
    Path remote = fluss.remoteDataDirectory();
    if (!Files.exists(remote)) {
      return 0;
    }
    try (var files = Files.walk(remote)) {
      return files.filter(file -> file.toString().endsWith(".log")).count();
    }
  }

  @Test
  void expiredOffsetsAreAGap() throws Exception {
    LogCluster cluster = connect(Duration.ofSeconds(60), Duration.ofSeconds(20));
    LogTable table =
        create(cluster, Map.of("table.log.ttl", "1s", "table.log.tiered.local-segments", "1"));
    for (int i = 0; i < 5; i++) {
      write(cluster, table, i * 2000, (i + 1) * 2000);
    }
    await(
        "expired segments", () -> cluster.earliestOffsets(table, List.of(BUCKET)).get(BUCKET) > 0);
    assertThatThrownBy(
            () ->
                LogTables.read(
                    cluster, table, new LogRange(BUCKET, null, 0, 10_000), List.of("id")))
        .isInstanceOfSatisfying(
            LakestreamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LOG_GAP))
        .hasMessageMatching(
            "(?s).*fluss.events: bucket 0 needs the log from offset 0, but it begins at [1-9].*");
  }
}
