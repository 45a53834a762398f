package io.lakestream.spark.it.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.catalog.LakestreamTiering;
import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.fluss.FlussClusters;
import io.lakestream.spark.fluss.ReadSettings;
import io.lakestream.spark.hudi.HudiLakeTables;
import io.lakestream.spark.it.cluster.UnknownLake;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.PrivateCluster;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.TieringLease;
import io.lakestream.spark.log.TieringLeases;
import io.lakestream.spark.tiering.LeaseOwner;
import io.lakestream.spark.tiering.OffsetsFileReader;
import io.lakestream.spark.tiering.RoundExecutor;
import io.lakestream.spark.tiering.RoundResult;
import io.lakestream.spark.tiering.SparkRoundExecutor;
import io.lakestream.spark.tiering.TieringRound;
import io.lakestream.spark.tiering.TieringSettings;
import io.lakestream.spark.types.TablePath;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tables that a real coordinator gives to one tiering service at a time. */
class TieringLeaseTest extends IntegrationTest {
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration DUE_WITHIN = Duration.ofMinutes(1);

  private final List<String> created = new ArrayList<>();
  private PrivateCluster cluster;
  private LogCluster log;
  private TieringLeases leases;

  @BeforeAll
  void startCluster() throws IOException {
    cluster =
        PrivateCluster.start(
            environment(), 1, Map.of("datalake.format", UnknownLake.NAME), Map.of());
    log =
        FlussClusters.connect(
            Map.of("bootstrap.servers", cluster.fluss().bootstrapServers()),
            REQUEST_TIMEOUT,
            new ReadSettings(Duration.ofSeconds(1), Duration.ofSeconds(30), 1_000));
    leases = log.tieringLeases();
  }

  @AfterAll
  void stopCluster() {
    cluster.close();
  }

  /** A table that one test leaves would be given to the next. */
  @AfterEach
  void dropTables() {
    created.forEach(name -> sql("DROP TABLE IF EXISTS " + cluster.table(name)));
    created.clear();
  }

  @Test
  void oneServiceHasATableAtATimeAndItsEpochsSayWhich() throws IOException {
    TablePath path = create("turns");
    TieringLease first = given(path);
    assertThat(leases.request()).isEmpty();
    leases.renew(first);
    assertVoid(() -> leases.renew(withEpoch(first, first.tieringEpoch() + 1)));

    leases.giveBack(first);
    TieringLease second = leases.request().orElseThrow();
    assertThat(second).isEqualTo(withEpoch(first, first.tieringEpoch() + 1));
    assertVoid(() -> leases.renew(first));
    assertVoid(() -> leases.finish(first, false));
    assertVoid(() -> leases.giveBack(first));
    leases.renew(second);

    leases.finish(second, true);
    TieringLease third = leases.request().orElseThrow();
    assertThat(third).isEqualTo(withEpoch(first, second.tieringEpoch() + 1));
    leases.finish(third, false);
    assertVoid(() -> leases.renew(third));
    TieringLease fourth = given(path);

    cluster.fluss().killCoordinator();
    cluster.fluss().startCoordinator();
    assertVoid(() -> leases.renew(fourth));
    dropTables();
    assertVoid(() -> leases.finish(fourth, false));
  }

  @Test
  void aRoundWhoseLeaseWentToAnotherServiceNeverCommits() {
    TablePath path = create("fenced");
    sql("INSERT INTO " + cluster.table("fenced") + " VALUES (1, 'a'), (2, 'b')");
    TieringLease slow = given(path);
    RoundExecutor spark = new SparkRoundExecutor(environment().spark());
    RoundExecutor overtaken =
        new InterruptedPorts(KillPoint.AFTER_FILES, () -> leases.giveBack(slow)).executor(spark);
    assertVoid(() -> round(overtaken, slow));
    assertThat(log.readableLakeSnapshot(log.table(path))).isEmpty();

    TieringLease next = given(path);
    RoundResult result = round(spark, next);
    assertThat(result.rows()).isEqualTo(2);
    leases.finish(next, false);
    assertVoid(() -> round(spark, next));
    sql("INSERT INTO " + cluster.table("fenced") + " VALUES (2, 'c'), (3, 'd')");
    List<List<Object>> tiered = List.of(List.of(1, "a"), List.of(2, "b"));
    assertThat(cluster.rows("`fenced$lake`", "SELECT * FROM {t}"))
        .containsExactlyInAnyOrderElementsOf(tiered);
    assertThat(cluster.rows("fenced", "SELECT * FROM {t}"))
        .containsExactlyInAnyOrder(List.of(1, "a"), List.of(2, "c"), List.of(3, "d"));
  }

  @Test
  void nobodyTiersSuchATableAtWill() {
    TablePath path = create("at_will");
    assertThatThrownBy(
            () ->
                LakestreamTiering.tierOnce(
                    environment().spark(), cluster.catalog(), path.toString()))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_REFUSED))
        .hasMessageContaining(path + ": table.datalake.enabled=true")
        .hasMessageContaining("Run the tiering service");
  }

  private TablePath create(String name) {
    created.add(name);
    sql(
        "CREATE TABLE "
            + cluster.table(name)
            + " (id INT NOT NULL, s STRING) TBLPROPERTIES ('primary.key'='id', 'bucket.num'='1',"
            + " 'table.datalake.enabled'='true', 'table.datalake.freshness'='100ms')");
    return new TablePath(PrivateCluster.DATABASE, name);
  }

  /** Asks until the table's freshness makes the coordinator give it. */
  private TieringLease given(TablePath path) {
    long deadline = System.nanoTime() + DUE_WITHIN.toNanos();
    Optional<TieringLease> lease = leases.request();
    while (lease.isEmpty()) {
      assertThat(System.nanoTime()).as(path + " is given").isLessThan(deadline);
      lease = leases.request();
    }
    assertThat(lease.get().path()).isEqualTo(path);
    assertThat(lease.get().tableId()).isEqualTo(log.table(path).tableId());
    return lease.get();
  }

  private RoundResult round(RoundExecutor executor, TieringLease lease) {
    return new TieringRound(
            log,
            new HudiLakeTables(environment().spark(), Map.of(), HEARTBEAT_TIMEOUT),
            executor,
            OffsetsFileReader.hadoop(new Configuration()),
            new LeaseOwner(leases, lease))
        .run(
            lease.path(),
            TieringSettings.at(cluster.lake(lease.path().table()).toUri().toString()));
  }

  private static TieringLease withEpoch(TieringLease lease, long epoch) {
    return new TieringLease(lease.path(), lease.tableId(), epoch, lease.coordinatorEpoch());
  }

  private static void assertVoid(ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_CONFLICT))
        .hasMessageContaining("the coordinator refuses to")
        .hasMessageContaining("of tiering epoch");
  }
}
