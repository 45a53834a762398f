package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.MetricRegistry;
import io.lakestream.spark.catalog.LakestreamTiering;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.LakeFiles;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import io.lakestream.spark.tiering.TableStatus;
import io.lakestream.spark.tiering.service.TieringService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.metrics.source.Source;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** The service, the status and the procedures on a real cluster and real lakes. */
class TieringServiceTest extends IntegrationTest {
  private static final TableSpec KEYED = TableSpec.keyed("id INT, s STRING", "id");

  @Test
  void tiersADatabaseUntilItIsStopped() throws Exception {
    TestTable keyed = create("keyed", fresh(KEYED));
    TestTable log = create("log", fresh(TableSpec.log("id INT, s STRING")));
    keyed.apply(put(row(1, "a"), row(2, "b")));
    log.apply(put(row(1, "a"), row(1, "a")));
    String database = keyed.sqlName().substring(0, keyed.sqlName().lastIndexOf('.'));
    TieringService service = LakestreamTiering.service(environment().spark(), List.of(database), 2);
    try (service) {
      service.start();
      awaitTiered(keyed);
      awaitTiered(log);
      for (int round = 0; round < 3; round++) {
        keyed.apply(put(row(2, "b" + round)), delete(row(1, null)));
        log.apply(put(row(round, "c")));
        awaitTiered(keyed);
        awaitTiered(log);
      }
    }

    Row[] keyedRows = {row(2, "b2")};
    Row[] logRows = {row(1, "a"), row(1, "a"), row(0, "c"), row(1, "c"), row(2, "c")};
    assertRows(keyed, "SELECT * FROM {t}", keyedRows);
    assertRows(EntryPoint.LAKE_ONLY, keyed, "SELECT * FROM {t}", keyedRows);
    assertRows(log, "SELECT * FROM {t}", logRows);
    assertRows(EntryPoint.LAKE_ONLY, log, "SELECT * FROM {t}", logRows);
    MetricRegistry metrics = metrics();
    assertThat(metrics.getCounters().get(log.sqlName() + ".rows").getCount()).isEqualTo(5);
    assertThat(metrics.getGauges().get(log.sqlName() + ".lagOffsets").getValue()).isEqualTo(0L);
    assertThat(metrics.getCounters()).doesNotContainKey(log.sqlName() + ".failures");
    // The service compacts and clusters on its own, and never as part of a round.
    assertThat(keyed.timelineFiles()).anyMatch(file -> file.endsWith(".commit"));
    assertThat(log.timelineFiles()).anyMatch(file -> file.endsWith(".replacecommit"));
  }

  @Test
  void statusOfAPartlyTieredTable() throws Exception {
    TestTable table =
        create("part", TableSpec.log("id INT, s STRING").property("table.log.ttl", "1 d"));
    table.apply(put(row(1, "a"), row(2, "b")));
    assertThat(status(table).lakeInstant()).isEmpty();
    String instant = table.tierOnce();
    table.apply(put(row(3, "c"), row(4, "d"), row(5, "e")));

    TableStatus status = status(table);
    assertThat(status.lakeInstant()).contains(instant);
    assertThat(status.timeToLive()).contains(Duration.ofDays(1));
    assertThat(status.lag()).isEqualTo(3);
    assertThat(status.warning()).isEmpty();
    assertThat(status.buckets())
        .singleElement()
        .satisfies(
            bucket -> {
              assertThat(bucket.logStart()).isZero();
              assertThat(bucket.tieredOffset()).isEqualTo(2);
              assertThat(bucket.logEnd()).isEqualTo(5);
              assertThat(bucket.age().orElseThrow()).isBetween(Duration.ZERO, Duration.ofHours(1));
              assertThat(bucket.headroom().orElseThrow())
                  .isEqualTo(Duration.ofDays(1).minus(bucket.age().orElseThrow()));
            });
  }

  @Test
  void procedures() {
    TestTable table = create("called", KEYED);
    table.apply(put(row(1, "a"), row(2, "b")));
    Row tiered = call("tier", "table => '" + table.path() + "'");
    assertThat(tiered.<String>getAs("instant")).matches("\\d{17}");
    assertThat(tiered.<Long>getAs("rows")).isEqualTo(2);
    assertThat(tiered.<Long>getAs("waiting")).isZero();
    assertThat(call("tier", "'" + table.sqlName() + "'").isNullAt(0)).isTrue();

    table.apply(put(row(1, "c")));
    Row status = call("status", "table => '" + table.path() + "'");
    assertThat(status.<Integer>getAs("bucket")).isZero();
    assertThat(status.<Long>getAs("lag"))
        .isEqualTo(status.<Long>getAs("log_end") - status.<Long>getAs("tiered_offset"))
        .isPositive();
    assertThat(status.isNullAt(status.fieldIndex("oldest_untiered"))).isFalse();

    table.tier();
    assertThat(call("compact", "table => '" + table.path() + "'").getString(0)).matches("\\d{17}");
    assertRows(EntryPoint.LAKE_ONLY, table, "SELECT * FROM {t}", row(1, "c"), row(2, "b"));
    assertThat(call("clean", "table => '" + table.path() + "'").isNullAt(0)).isTrue();
    assertThatThrownBy(() -> call("tier", "table => 'nowhere.at_all'"))
        .hasMessageContaining("LAKESTREAM_TABLE_NOT_FOUND");
  }

  @Test
  void clusteringByCall() {
    TestTable table =
        create(
            "clustered", TableSpec.log("id INT, dt STRING").partitionedBy("dt").buckets(2, "id"));
    List<Row> written = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (int id = 0; id < 8; id++) {
        written.add(row(id, round == 0 ? "a" : "b"));
      }
      table.apply(put(written.subList(8 * round, 8 * round + 8).toArray(Row[]::new)));
      table.tierOnce();
    }
    table.apply(put(row(100, "b")));
    assertThat(LakeFiles.groups(table)).hasSize(6);
    String instant = call("cluster", "table => '" + table.path() + "'").getString(0);
    assertThat(table.timelineFiles())
        .anyMatch(file -> file.startsWith(instant) && file.endsWith(".replacecommit"));
    assertRows(EntryPoint.LAKE_ONLY, table, "SELECT * FROM {t}", written.toArray(Row[]::new));
    written.add(row(100, "b"));
    assertRows(table, "SELECT * FROM {t}", written.toArray(Row[]::new));
    // What was merged is as it is wanted, so nothing is left to do.
    assertThat(call("cluster", "table => '" + table.path() + "'").isNullAt(0)).isTrue();

    table.tierOnce();
    assertRows(EntryPoint.LAKE_ONLY, table, "SELECT * FROM {t}", written.toArray(Row[]::new));
    assertRows(table, "SELECT * FROM {t}", written.toArray(Row[]::new));
  }

  @Test
  void retentionShorterThanTheLongestJobIsRefused() {
    TestTable table =
        create(
            "short",
            KEYED
                .property("lakestream.tiering.retention", "2h")
                .property("lakestream.tiering.longest-job", "3h"));
    table.apply(put(row(1, "a")));
    table.tier();
    assertThatThrownBy(() -> call("clean", "table => '" + table.path() + "'"))
        .hasMessageContaining("LAKESTREAM_INVALID_OPTION")
        .hasMessageContaining(
            "'tiering.retention' is 7200 s, but 'tiering.longest-job' is 10800 s");
  }

  @Test
  void aPlanOfACallIsNotACall() throws Exception {
    TestTable table = create("planned", KEYED);
    table.apply(put(row(1, "a")));
    String call = "CALL lake.system.tier(table => '" + table.path() + "')";
    assertThat(environment().spark().sessionState().sqlParser().parsePlan(call).toString())
        .contains("system.tier");
    assertThat(status(table).lakeInstant()).isEmpty();
  }

  private static TableSpec fresh(TableSpec spec) {
    return spec.property("lakestream.tiering.freshness", "200ms")
        .property("lakestream.tiering.compaction.rounds", "2")
        .property("lakestream.tiering.clustering.rounds", "2");
  }

  private TableStatus status(TestTable table) {
    return LakestreamTiering.status(environment().spark(), "lake", table.path());
  }

  private void awaitTiered(TestTable table) {
    long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (status(table).lag() > 0) {
      assertThat(System.nanoTime()).as(table.path() + " is tiered").isLessThan(deadline);
    }
  }

  private Row call(String procedure, String arguments) {
    return sql("CALL lake.system." + procedure + "(" + arguments + ")").collectAsList().get(0);
  }

  private static MetricRegistry metrics() {
    Source source = SparkEnv.get().metricsSystem().getSourcesByName("lakestream.tiering").head();
    return source.metricRegistry();
  }
}
