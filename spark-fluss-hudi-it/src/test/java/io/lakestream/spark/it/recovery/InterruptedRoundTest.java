package io.lakestream.spark.it.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.fluss.FlussClusters;
import io.lakestream.spark.fluss.ReadSettings;
import io.lakestream.spark.hudi.HudiLakeTables;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.PrivateCluster;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.tiering.OffsetsFileReader;
import io.lakestream.spark.tiering.RoundResult;
import io.lakestream.spark.tiering.SparkRoundExecutor;
import io.lakestream.spark.tiering.TieringRound;
import io.lakestream.spark.tiering.TieringSettings;
import io.lakestream.spark.types.TablePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rounds during which a server or the lake goes away and comes back. */
@Tag("R-32")
class InterruptedRoundTest extends IntegrationTest {
  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private PrivateCluster cluster;

  @BeforeAll
  void startCluster() throws IOException {
    cluster = PrivateCluster.start(environment(), 1, Map.of(), Map.of());
  }

  @AfterAll
  void stopCluster() {
    cluster.close();
  }

  @Test
  void theCoordinatorGoesAwayBeforeTheReport() throws IOException {
    twoRows("reported");
    assertThatThrownBy(
            () ->
                round("reported", KillPoint.BEFORE_REPORT, () -> cluster.fluss().killCoordinator()))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_NOT_REPORTED))
        .hasMessageStartingWith("[LAKESTREAM_TIERING_NOT_REPORTED] db.reported: ");
    cluster.fluss().startCoordinator();
    assertRowsOnce("reported");
    RoundResult next = round("reported", KillPoint.REQUESTED, () -> {});
    assertThat(next.recoveredInstant()).isPresent();
    assertThat(next.instant()).isEmpty();
    assertRowsOnce("reported");
  }

  @Test
  void theCoordinatorRestartsBeforeTheCommit() {
    twoRows("restarted");
    Runnable restart =
        () -> {
          cluster.fluss().killCoordinator();
          unchecked(() -> cluster.fluss().startCoordinator());
        };
    tryRound("restarted", KillPoint.AFTER_FILES, restart);
    assertRowsOnce("restarted");
    tierToTheEnd("restarted");
    assertRowsOnce("restarted");
  }

  @Test
  void theTabletServerRestartsBeforeTheRowsAreRead() {
    twoRows("read");
    await(() -> cluster.isDurable(1, 2));
    Runnable restart =
        () -> {
          cluster.fluss().killTabletServer(0);
          unchecked(() -> cluster.fluss().startTabletServer(0));
        };
    tryRound("read", KillPoint.BEFORE_FILES, restart);
    assertRowsOnce("read");
    tierToTheEnd("read");
    assertRowsOnce("read");
  }

  @Test
  void theLakeIsAwayAtTheCommit() throws IOException {
    twoRows("away");
    tierToTheEnd("away");
    cluster.rows("away", "INSERT INTO {t} VALUES (3, 'c')");
    Path lake = cluster.lake("away");
    Path elsewhere = lake.resolveSibling("away-for-a-while");
    assertThatThrownBy(
            () ->
                round(
                    "away",
                    KillPoint.BEFORE_COMMIT,
                    () -> unchecked(() -> Files.move(lake, elsewhere))))
        .isInstanceOf(LakestreamException.class)
        .hasMessageContaining("db.away: ");
    // What the writers made in the meantime is not on the file system that comes back.
    FileUtils.deleteDirectory(lake.toFile());
    Files.move(elsewhere, lake);
    List<List<Object>> expected = List.of(List.of(1, "a"), List.of(2, "b"), List.of(3, "c"));
    assertThat(cluster.rows("away", "SELECT * FROM {t} ORDER BY id")).isEqualTo(expected);
    tierToTheEnd("away");
    assertThat(cluster.rows("away", "SELECT * FROM {t} ORDER BY id")).isEqualTo(expected);
    assertThat(lakeRows("away")).isEqualTo(3);
  }

  private void twoRows(String table) {
    cluster.rows(table, "CREATE TABLE {t} (id INT, s STRING)");
    cluster.rows(table, "INSERT INTO {t} VALUES (1, 'a'), (2, 'b')");
  }

  private void assertRowsOnce(String table) {
    assertThat(cluster.rows(table, "SELECT * FROM {t} ORDER BY id"))
        .containsExactly(List.of(1, "a"), List.of(2, "b"));
  }

  /** A round that may fail, but not without a code. */
  private void tryRound(String table, KillPoint point, Runnable interruption) {
    try {
      assertThat(round(table, point, interruption).rows()).isEqualTo(2);
    } catch (LakestreamException coded) {
      assertThat(coded).hasMessageContaining("db." + table + ": ");
    }
  }

  /** Rounds until one of them is through; the one before may have to be taken for dead first. */
  private void tierToTheEnd(String table) {
    await(() -> isDone(table));
    assertThat(lakeRows(table)).isGreaterThanOrEqualTo(2);
  }

  private boolean isDone(String table) {
    try {
      return round(table, KillPoint.REQUESTED, () -> {}).waiting() == 0;
    } catch (LakestreamException notYet) {
      return false;
    }
  }

  private static void await(Callable<Boolean> condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (!condition.call()) {
        assertThat(System.nanoTime()).isLessThan(deadline);
      }
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  private long lakeRows(String table) {
    return environment().spark().read().format("hudi").load(cluster.lake(table).toString()).count();
  }

  private RoundResult round(String table, KillPoint point, Runnable interruption) {
    InterruptedPorts ports = new InterruptedPorts(point, interruption);
    LogCluster log =
        FlussClusters.connect(
            Map.of("bootstrap.servers", cluster.fluss().bootstrapServers()),
            REQUEST_TIMEOUT,
            ReadSettings.defaults());
    return new TieringRound(
            ports.cluster(log),
            ports.lakes(new HudiLakeTables(environment().spark(), Map.of(), HEARTBEAT_TIMEOUT)),
            ports.executor(new SparkRoundExecutor(environment().spark())),
            OffsetsFileReader.hadoop(environment().spark().sparkContext().hadoopConfiguration()))
        .run(
            new TablePath(PrivateCluster.DATABASE, table),
            TieringSettings.at(cluster.lake(table).toString()));
  }

  private interface FileAction {
    void run() throws IOException;
  }

  private static void unchecked(FileAction action) {
    try {
      action.run();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
