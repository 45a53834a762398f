package io.lakestream.spark.it.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.catalog.LakestreamTiering;
import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.fluss.FlussClusters;
import io.lakestream.spark.fluss.ReadSettings;
import io.lakestream.spark.hudi.HudiLakeTables;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.PrivateCluster;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.tiering.OffsetsFileReader;
import io.lakestream.spark.tiering.RoundExecutor;
import io.lakestream.spark.tiering.SparkRoundExecutor;
import io.lakestream.spark.tiering.TieringRound;
import io.lakestream.spark.tiering.TieringSettings;
import io.lakestream.spark.types.TablePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Rounds whose servers die and come back, or whose lake is away for a while. The round ends well or
 * with a coded error; the next one leaves every row once in the lake.
 */
class HurtRoundsTest extends IntegrationTest {
  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration RECOVERY = Duration.ofSeconds(120);
  private static final int ROWS = 3_000;

  private PrivateCluster cluster;

  /** How many times each table was filled. */
  private int fills;

  @BeforeAll
  void startCluster() throws Exception {
    cluster =
        PrivateCluster.start(
            environment(),
            1,
            Map.of(),
            Map.of(
                "request.timeout",
                "20s",
                "tiering.heartbeat.timeout",
                HEARTBEAT_TIMEOUT.toMillis() + "ms"));
    create("events", "");
    create("users", "'primary.key'='id',");
  }

  @AfterAll
  void stopCluster() {
    cluster.close();
  }

  private void create(String table, String properties) {
    sql(
        "CREATE TABLE %s (id INT, fill INT) TBLPROPERTIES (%s 'bucket.num'='1')"
            .formatted(cluster.table(table), properties));
  }

  private void fill() throws Exception {
    fills++;
    for (String table : List.of("events", "users")) {
      sql(
          "INSERT INTO %s SELECT CAST(id AS INT), %d FROM range(%d)"
              .formatted(cluster.table(table), fills, ROWS));
    }
    long deadline = System.nanoTime() + RECOVERY.toNanos();
    while (!cluster.isDurable(1, (long) ROWS * fills)) {
      assertThat(System.nanoTime()).as("acknowledged rows on disk").isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private interface Harm {
    void run() throws Exception;
  }

  /** A round of a table that is harmed just before its tasks. */
  private void round(String table, Harm harm) {
    SparkSession spark = environment().spark();
    RoundExecutor tasks = new SparkRoundExecutor(spark);
    RoundExecutor harmed =
        (RoundExecutor)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RoundExecutor.class},
                (self, method, arguments) -> {
                  if (method.getName().equals("run")) {
                    harm.run();
                  }
                  try {
                    return method.invoke(tasks, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    LogCluster log =
        FlussClusters.connect(
            Map.of("bootstrap.servers", cluster.fluss().bootstrapServers()),
            Duration.ofSeconds(20),
            ReadSettings.defaults());
    new TieringRound(
            log,
            new HudiLakeTables(spark, hadoop(), HEARTBEAT_TIMEOUT),
            harmed,
            OffsetsFileReader.hadoop(spark.sparkContext().hadoopConfiguration()))
        .run(
            new TablePath(PrivateCluster.DATABASE, table),
            TieringSettings.at(cluster.lake(table).toString()));
  }

  private static Map<String, String> hadoop() {
    return Map.of(
        "fs.file.impl", FlakyFileSystem.class.getName(), "fs.file.impl.disable.cache", "true");
  }

  private void startTabletServer() {
    try {
      cluster.fluss().startTabletServer(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The round may fail, but only with a code. */
  private static void mayFail(Runnable round) {
    try {
      round.run();
    } catch (RuntimeException e) {
      assertThat(Coded.in(e)).as(e.toString()).isPresent();
    }
  }

  private void assertEachRowOnce(String table) throws Exception {
    tierWhenPossible(table);
    List<List<Object>> expected = new ArrayList<>();
    int first = table.equals("users") ? fills : 1;
    for (int fill = first; fill <= fills; fill++) {
      for (int id = 0; id < ROWS; id++) {
        expected.add(List.of(id, fill));
      }
    }
    Comparator<List<Object>> order =
        Comparator.<List<Object>>comparingInt(row -> (int) row.get(0))
            .thenComparingInt(row -> (int) row.get(1));
    expected.sort(order);
    for (String name : List.of(table, table + "$lake")) {
      List<List<Object>> rows =
          new ArrayList<>(cluster.rows("`" + name + "`", "SELECT id, fill FROM {t}"));
      rows.sort(order);
      assertThat(rows).as(name).isEqualTo(expected);
    }
    assertThat(
            LakestreamTiering.status(environment().spark(), cluster.catalog(), "db." + table).lag())
        .isZero();
  }

  /** Until servers are back and a dead round counts as dead. */
  private void tierWhenPossible(String table) throws Exception {
    long deadline = System.nanoTime() + RECOVERY.toNanos();
    while (true) {
      try {
        cluster.tier(table);
        return;
      } catch (LakestreamException e) {
        assertThat(e.code())
            .as(e.getMessage())
            .isIn(
                ErrorCode.TIERING_CONFLICT,
                ErrorCode.CLUSTER_UNREACHABLE,
                ErrorCode.TIERING_NOT_REPORTED,
                ErrorCode.TIERING_FAILED);
        if (System.nanoTime() > deadline) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(200);
      }
    }
  }

  @Test
  void tabletServerThatDiesAndComesBackWhileTasksRead() throws Exception {
    fill();
    for (String table : List.of("events", "users")) {
      List<CompletableFuture<Void>> restarts = new ArrayList<>();
      mayFail(
          () ->
              round(
                  table,
                  () -> {
                    cluster.fluss().killTabletServer(0);
                    restarts.add(CompletableFuture.runAsync(this::startTabletServer));
                  }));
      restarts.get(0).get(RECOVERY.toSeconds(), TimeUnit.SECONDS);
      assertEachRowOnce(table);
    }
  }

  @Test
  void lakeThatIsAwayWhileTasksWrite() throws Exception {
    fill();
    for (String table : List.of("events", "users")) {
      try {
        assertThat(Coded.error(() -> round(table, () -> FlakyFileSystem.setAway(true))))
            .hasMessageContaining("db." + table);
      } finally {
        FlakyFileSystem.setAway(false);
      }
      assertEachRowOnce(table);
    }
  }
}
