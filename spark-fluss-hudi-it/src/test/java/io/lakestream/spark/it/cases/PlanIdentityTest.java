package io.lakestream.spark.it.cases;

import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.Execution;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.PlacementCase;
import io.lakestream.spark.it.harness.ScanMetrics;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Kind M: scans that differ are different, equal ones are shared, and no session is stale. */
class PlanIdentityTest extends IntegrationTest {
  private static final TableSpec GROUPS = TableSpec.log("id INT, g STRING");

  @TestFactory
  @Tag("R-30")
  Stream<DynamicNode> scansThatDiffer() {
    return Stream.of(GROUPS, TableSpec.keyed("id INT, g STRING", "id", "g").partitionedBy("g"))
        .map(PlanIdentityTest::differing)
        .flatMap(this::run);
  }

  private static PlacementCase differing(TableSpec spec) {
    String name = (spec.primaryKey().isEmpty() ? "log" : "PK") + spec.partitionColumns();
    return PlacementCase.of("R-30 " + name, spec)
        .lake(put(group("a", 1, 5)), put(group("b", 11, 12)))
        .tail(put(group("a", 6, 10)), put(group("b", 13, 13)))
        .query(
            "SELECT x.id, y.id FROM (SELECT id FROM {t} WHERE g = 'a') x"
                + " FULL OUTER JOIN (SELECT id FROM {t} WHERE g = 'b') y ON x.id = y.id")
        .query(
            "SELECT count(*), count(x.id), count(y.id) FROM (SELECT id FROM {t} WHERE g = 'a') x"
                + " FULL OUTER JOIN (SELECT id FROM {t} WHERE g = 'b') y ON x.id = y.id",
            row(13L, 10L, 3L))
        .query(
            "SELECT count(*), count(DISTINCT id) FROM (SELECT id FROM {t} WHERE g = 'a'"
                + " UNION ALL SELECT id FROM {t} WHERE g = 'b')",
            row(13L, 13L))
        .query(
            "SELECT count(*) FROM ((SELECT id FROM {t} WHERE g = 'a' LIMIT 2)"
                + " UNION ALL (SELECT id FROM {t} WHERE g = 'a' LIMIT 4))",
            row(6L))
        .query(
            "SELECT sum(n) FROM ((SELECT id AS n FROM {t} WHERE g = 'b')"
                + " UNION ALL (SELECT length(g) AS n FROM {t} WHERE g = 'b'))",
            row(39L));
  }

  @Test
  @Tag("R-30")
  void readsWithOtherOptions() throws Exception {
    TestTable table = create("r", GROUPS);
    table.apply(put(group("a", 1, 5)));
    table.tierOnce();
    table.apply(put(group("a", 6, 10)));
    Dataset<Row> union = table.load();
    Dataset<Row> lake = environment().format().option("union.read.mode", "lake").load(table.path());
    for (boolean adaptive : List.of(true, false)) {
      withSettings(
          Map.of("spark.sql.adaptive.enabled", Boolean.toString(adaptive)),
          () -> {
            assertThat(union.union(lake).count()).isEqualTo(15);
            assertThat(union.exceptAll(lake).count()).isEqualTo(5);
            assertThat(union.as("u").join(lake.as("l"), "id").count()).isEqualTo(5);
          });
    }
  }

  @Test
  @Tag("R-30")
  void equalScansAreReadOnce() throws Exception {
    TestTable table = create("r", GROUPS);
    table.apply(put(group("a", 1, 5)));
    table.tierOnce();
    table.apply(put(group("a", 6, 10)));
    String equal =
        "SELECT x.n, y.n FROM (SELECT g, count(*) AS n FROM {t} GROUP BY g) x"
            + " JOIN (SELECT g, count(*) AS n FROM {t} GROUP BY g) y ON x.g = y.g";
    withSettings(
        Map.of("spark.sql.autoBroadcastJoinThreshold", "-1"),
        () -> {
          for (EntryPoint entryPoint : List.of(EntryPoint.CATALOG, EntryPoint.FORMAT)) {
            Dataset<Row> query = table.dataset(entryPoint, equal);
            assertThat(query.collectAsList()).containsExactly(row(10L, 10L));
            ScanMetrics metrics = ScanMetrics.of(query);
            assertThat(metrics.sum("lakeRows")).as("%s", entryPoint).isEqualTo(5);
            assertThat(metrics.sum(ScanMetrics.LOG_ROWS)).as("%s", entryPoint).isEqualTo(5);
          }
        });
  }

  /** Each answer lies between what was written before it was asked for, and after it came. */
  @Test
  @Tag("R-31")
  void longSessionBesideAWriterAndRounds() throws Exception {
    TestTable table = create("busy", TableSpec.keyed("id INT, v INT", "id").buckets(2));
    table.apply(put(row(0, 0)));
    AtomicInteger written = new AtomicInteger(1);
    AtomicInteger begun = new AtomicInteger(1);
    AtomicBoolean stop = new AtomicBoolean();
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              while (!stop.get()) {
                int id = begun.getAndIncrement();
                table.apply(put(row(id, id)), delete(row(-1, null)));
                written.incrementAndGet();
              }
            });
    try {
      for (int i = 0; i < 6; i++) {
        table.tier();
        if (i == 3) {
          table.compact();
        }
        assertFresh(table, written, begun, Execution.PAIRWISE.get(i));
      }
    } finally {
      stop.set(true);
      writer.get(1, TimeUnit.MINUTES);
    }
    assertRows(table, "SELECT count(*) FROM {t}", row((long) written.get()));
  }

  private void assertFresh(
      TestTable table, AtomicInteger written, AtomicInteger begun, Execution execution)
      throws Exception {
    int before = written.get();
    List<Row> answer =
        execution.call(
            environment().spark(),
            () ->
                table
                    .dataset(
                        execution.entryPoint(),
                        "SELECT (SELECT count(*) FROM {t}), (SELECT count(*) FROM {t}),"
                            + " (SELECT count(*) FROM {t} l LEFT ANTI JOIN {t} r ON l.id = r.id),"
                            + " (SELECT count(*) FROM"
                            + " (SELECT * FROM {t} EXCEPT SELECT * FROM {t}))")
                    .collectAsList());
    int after = begun.get();
    Row row = answer.get(0);
    assertThat(row.getLong(0)).as("%s", execution).isBetween((long) before, (long) after);
    assertThat(row.getLong(1)).as("%s", execution).isEqualTo(row.getLong(0));
    assertThat(row.getLong(2)).as("%s", execution).isZero();
    assertThat(row.getLong(3)).as("%s", execution).isZero();
  }

  private static List<Row> group(String name, int first, int last) {
    return IntStream.rangeClosed(first, last).mapToObj(id -> row(id, name)).toList();
  }
}
