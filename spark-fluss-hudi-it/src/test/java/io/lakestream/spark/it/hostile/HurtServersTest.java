package io.lakestream.spark.it.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.fluss.FlussClusters;
import io.lakestream.spark.fluss.ReadSettings;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.PrivateCluster;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.TablePath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Servers that die, come back, forget or say nothing while a query runs: the exact answer, or a
 * coded error within the deadline.
 */
class HurtServersTest extends IntegrationTest {
  private static final int ROWS = 60_000;
  private static final int HALF = ROWS / 2;
  private static final List<String> TABLES = List.of("events", "users");
  private static final Row WHOLE = RowFactory.create((long) ROWS, (long) ROWS * (ROWS - 1) / 2);

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(4);

  /** What the impatient catalog may take to fail: a few requests in a row, and the idle log. */
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private static final Duration RECOVERY = Duration.ofSeconds(90);

  private PrivateCluster cluster;

  /** A catalog that does not wait for servers to come back. */
  private String impatient;

  @BeforeAll
  void startCluster() throws Exception {
    cluster =
        PrivateCluster.start(
            environment(),
            1,
            Map.of("log.segment.file-size", "64kb", "remote.log.task-interval-duration", "500ms"),
            Map.of("request.timeout", "30s"));
    impatient =
        cluster.catalog(
            Map.of(
                "request.timeout", REQUEST_TIMEOUT.toMillis() + "ms",
                "scan.idle.timeout", IDLE_TIMEOUT.toMillis() + "ms"));
    create("events", "");
    create("users", "'primary.key'='id',");
    for (String table : TABLES) {
      cluster.insert(table, 0, HALF);
      cluster.tier(table);
      cluster.insert(table, HALF, ROWS);
    }
    await("acknowledged rows on disk", () -> cluster.isDurable(TABLES.size(), ROWS));
  }

  @AfterAll
  void stopCluster() {
    cluster.close();
  }

  /** The next test finds all servers at work again. */
  @AfterEach
  void awaitRecovery() throws Exception {
    await("whole answers", () -> TABLES.stream().allMatch(this::isWhole));
  }

  private boolean isWhole(String table) {
    try {
      return cluster.rows(table, "SELECT * FROM {t}").size() == ROWS;
    } catch (Exception e) {
      assertThat(Coded.in(e).map(LakestreamException::code).orElse(null))
          .as(e.toString())
          .isIn(ErrorCode.CLUSTER_UNREACHABLE, ErrorCode.LOG_STALLED);
      return false;
    }
  }

  private void create(String table, String properties) {
    sql(
        "CREATE TABLE %s (id INT, s STRING) TBLPROPERTIES (%s 'bucket.num'='1')"
            .formatted(cluster.table(table), properties));
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + RECOVERY.toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("deadline of: " + what).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private String impatiently(String table) {
    return impatient + "." + PrivateCluster.DATABASE + "." + table;
  }

  private List<Row> sum(String table) {
    return Gate.sum(environment().spark(), table, HALF);
  }

  private Dataset<Row> planned(String table) {
    Dataset<Row> query = sql("SELECT id, s FROM " + table);
    assertThat(query.queryExecution().toRdd().getNumPartitions()).isPositive();
    return query;
  }

  private static LakestreamException failsInTime(ThrowingCallable call) {
    long start = System.nanoTime();
    LakestreamException error = Coded.error(call);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(DEADLINE);
    return error;
  }

  @Test
  void tabletServerThatDiesAndComesBackDuringARead() throws Exception {
    for (String table : TABLES) {
      Gate gate = Gate.next(environment().spark());
      CompletableFuture<List<Row>> query =
          CompletableFuture.supplyAsync(() -> sum(cluster.table(table)));
      gate.awaitReached();
      cluster.fluss().killTabletServer(0);
      gate.open();
      cluster.fluss().startTabletServer(0);

      assertThat(query.get(RECOVERY.toSeconds(), TimeUnit.SECONDS)).containsExactly(WHOLE);
      awaitRecovery();
    }
  }

  @Test
  void coordinatorThatIsRestartedBetweenPlanningAndReading() throws Exception {
    for (String table : TABLES) {
      Dataset<Row> query = planned(cluster.table(table));
      cluster.fluss().killCoordinator();
      cluster.fluss().startCoordinator();

      assertThat(query.count()).isEqualTo(ROWS);
    }
  }

  @Test
  void coordinatorThatStaysAway() throws Exception {
    Dataset<Row> query = planned(impatiently("events"));
    cluster.fluss().killCoordinator();
    try {
      long start = System.nanoTime();
      try {
        assertThat(query.collectAsList()).hasSize(ROWS);
      } catch (Exception e) {
        assertThat(Coded.in(e).map(LakestreamException::code))
            .as(e.toString())
            .contains(ErrorCode.CLUSTER_UNREACHABLE);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(DEADLINE);
    } finally {
      cluster.fluss().startCoordinator();
    }
  }

  @Test
  void tabletServerThatSaysNothing() throws Exception {
    Map<String, Dataset<Row>> planned = new HashMap<>();
    TABLES.forEach(table -> planned.put(table, planned(impatiently(table))));
    cluster.fluss().freezeTabletServer(0);
    try {
      for (String table : TABLES) {
        assertThat(failsInTime(planned.get(table)::collectAsList).code())
            .as("read of " + table)
            .isIn(ErrorCode.LOG_STALLED, ErrorCode.CLUSTER_UNREACHABLE);
      }
      LakestreamException planning = failsInTime(() -> planned(impatiently("events")));
      assertThat(planning.code()).isEqualTo(ErrorCode.CLUSTER_UNREACHABLE);
      assertThat(planning)
          .hasMessageContaining("db.events: cannot ")
          .hasMessageContaining(cluster.fluss().bootstrapServers())
          .hasMessageContaining("Check bootstrap.servers, the network, and that the servers run.");
    } finally {
      cluster.fluss().thawTabletServer(0);
    }
  }

  @Test
  void tabletServerThatFallsSilentDuringARead() throws Exception {
    Gate gate = Gate.next(environment().spark());
    CompletableFuture<LakestreamException> query =
        CompletableFuture.supplyAsync(() -> failsInTime(() -> sum(impatiently("events"))));
    gate.awaitReached();
    cluster.fluss().freezeTabletServer(0);
    try {
      gate.open();
      LakestreamException error = query.get(RECOVERY.toSeconds(), TimeUnit.SECONDS);
      assertThat(error.code()).isEqualTo(ErrorCode.LOG_STALLED);
      assertThat(error)
          .hasMessageContaining("db.events: bucket 0 made no progress at offset ")
          .hasMessageContaining("of [" + HALF + ", " + ROWS + ") for 4 s");
    } finally {
      cluster.fluss().thawTabletServer(0);
    }
  }

  @Test
  @Tag("R-35")
  void logThatExpiresBetweenPlanningAndReading() throws Exception {
    sql(
        "CREATE TABLE %s (id INT, s STRING) TBLPROPERTIES ('bucket.num'='1', 'table.log.ttl'='1s',"
                .formatted(cluster.table("brief"))
            + " 'table.log.tiered.local-segments'='1')");
    cluster.insert("brief", 0, 10_000);
    Dataset<Row> query = planned(cluster.table("brief"));
    cluster.insert("brief", 10_000, 20_000);
    await("expired rows", () -> logStart("brief") > 5_000);

    LakestreamException error = failsInTime(query::collectAsList);
    assertThat(error.code()).isEqualTo(ErrorCode.LOG_GAP);
    assertThat(error).hasMessageContaining("db.brief: bucket 0 needs the log from offset ");
  }

  @Test
  @Tag("R-35")
  void logThatExpiresAfterALaterRoundAndBeforeItIsRead() throws Exception {
    sql(
        "CREATE TABLE %s (id INT, s STRING) TBLPROPERTIES ('bucket.num'='1', 'table.log.ttl'='15s',"
                .formatted(cluster.table("tiered"))
            + " 'table.log.tiered.local-segments'='1')");
    cluster.insert("tiered", 0, 10_000);
    cluster.tier("tiered");
    cluster.insert("tiered", 10_000, 20_000);
    Dataset<Row> query = planned(cluster.table("tiered"));
    // A segment that is written to does not expire, so it takes a further one.
    cluster.insert("tiered", 20_000, 20_001);
    cluster.tier("tiered");
    await("expired rows", () -> logStart("tiered") > 10_000);

    LakestreamException error = failsInTime(query::collectAsList);
    assertThat(error.code()).isEqualTo(ErrorCode.LOG_GAP);
    assertThat(error).hasMessageContaining("db.tiered: bucket 0 needs the log from offset ");
    // What was there at planning is in the lake by now, so the query can be run again.
    assertThat(cluster.rows("tiered", "SELECT count(*), count(DISTINCT id) FROM {t}"))
        .containsExactly(List.of(20_001L, 20_001L));
  }

  private long logStart(String table) {
    LogCluster client =
        FlussClusters.connect(
            Map.of("bootstrap.servers", cluster.fluss().bootstrapServers()),
            Duration.ofSeconds(20),
            ReadSettings.defaults());
    LogBucket bucket = new LogBucket(null, 0);
    LogTable described = client.table(new TablePath(PrivateCluster.DATABASE, table));
    return client.earliestOffsets(described, List.of(bucket)).get(bucket);
  }

  /** The servers may remember what the file said. */
  @Test
  void offsetsFileThatIsDamagedForeignOrGone() throws Exception {
    create("offsets", "");
    cluster.insert("offsets", 0, 100);
    cluster.tier("offsets");
    cluster.insert("offsets", 100, 150);
    Path file = offsetsFile("offsets");
    String whole = Files.readString(file);
    Path foreign = offsetsFile("events");

    for (String content : List.of("", "{\"version\":", whole + whole, Files.readString(foreign))) {
      Files.writeString(file, content);
      assertWholeOrCoded("offsets", 150);
    }
    Files.delete(file);
    assertWholeOrCoded("offsets", 150);
    Files.writeString(file, whole);
    assertThat(cluster.rows("offsets", "SELECT * FROM {t}")).hasSize(150);
  }

  private void assertWholeOrCoded(String table, int rows) {
    long start = System.nanoTime();
    try {
      assertThat(cluster.rows(table, "SELECT * FROM {t}")).hasSize(rows);
    } catch (RuntimeException e) {
      assertThat(Coded.in(e)).as(e.toString()).isPresent();
      assertThat(Coded.in(e).get()).hasMessageContaining("db." + table);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(DEADLINE);
  }

  private Path offsetsFile(String table) throws Exception {
    try (Stream<Path> files = Files.walk(cluster.fluss().remoteDataDirectory())) {
      return files
          .filter(file -> file.toString().contains("/" + table + "-"))
          .filter(file -> file.toString().endsWith(".offsets"))
          .findFirst()
          .orElseThrow();
    }
  }
}
