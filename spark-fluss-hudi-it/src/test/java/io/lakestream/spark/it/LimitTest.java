package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.PlacementCase;
import io.lakestream.spark.it.harness.ScanMetrics;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits save work and cost no row; counts are of merged rows of both tiers. */
class LimitTest extends IntegrationTest {

  @ParameterizedTest
  @EnumSource(
      value = EntryPoint.class,
      names = {"CATALOG", "FORMAT"})
  @Tag("R-19")
  void limitOverDeletedRowsAndADroppedPartition(EntryPoint entryPoint) {
    TestTable table =
        create(
            "l", TableSpec.keyed("id INT, dt STRING", "id", "dt").partitionedBy("dt").buckets(2));
    table.apply(put(rows(1, 80, "a")), put(rows(81, 90, "b")));
    table.tier();
    table.apply(delete(rows(1, 76, "a")));
    table.dropPartition(Map.of("dt", "b"));

    assertThat(ids(table, entryPoint, "SELECT id FROM {t} WHERE dt = 'a' LIMIT 3"))
        .hasSize(3)
        .isSubsetOf(77, 78, 79, 80);
    assertThat(ids(table, entryPoint, "SELECT id FROM {t} WHERE dt = 'a' LIMIT 10"))
        .containsExactlyInAnyOrder(77, 78, 79, 80);
    assertThat(ids(table, entryPoint, "SELECT id FROM {t} WHERE dt = 'b' LIMIT 4"))
        .hasSize(4)
        .isSubsetOf(IntStream.rangeClosed(81, 90).boxed().toList());
    assertThat(ids(table, entryPoint, "SELECT id FROM {t} LIMIT 1000")).hasSize(14);
    assertThat(ids(table, entryPoint, "SELECT id FROM {t} LIMIT 13")).hasSize(13);
    assertThat(ids(table, entryPoint, "SELECT id FROM {t} LIMIT 0")).isEmpty();
    assertThat(ids(table, entryPoint, "SELECT id FROM {t} ORDER BY id DESC LIMIT 2"))
        .containsExactly(90, 89);
    assertThat(ids(table, entryPoint, "SELECT id FROM {t} LIMIT 10 OFFSET 9")).hasSize(5);
  }

  private static List<Row> rows(int first, int last, String dt) {
    return IntStream.rangeClosed(first, last).mapToObj(id -> row(id, dt)).toList();
  }

  private static List<Integer> ids(TestTable table, EntryPoint entryPoint, String query) {
    return table.query(entryPoint, query).rows().stream().map(row -> (Integer) row.get(0)).toList();
  }

  @Test
  @Tag("R-19")
  void limitStopsATaskEarlyAndNoSooner() {
    for (TableSpec spec :
        List.of(TableSpec.log("id INT, dt STRING"), TableSpec.keyed("id INT, dt STRING", "id"))) {
      boolean keyed = !spec.primaryKey().isEmpty();
      TestTable table = create("early", spec);
      table.apply(put(rows(1, 300, "a")));
      assertLimits(table, 300);
      if (!keyed) {
        String limited = "SELECT id FROM {t} LIMIT 7";
        ScanMetrics metrics = ScanMetrics.of(table.dataset(EntryPoint.CATALOG, limited));
        assertThat(metrics.sum(ScanMetrics.LOG_ROWS)).isEqualTo(7);
      }
      table.tier();
      assertLimits(table, 300);
      table.apply(put(rows(301, 310, "b")));
      if (keyed) {
        table.apply(delete(rows(1, 305, "a")));
      }
      assertLimits(table, keyed ? 5 : 310);
    }
  }

  private void assertLimits(TestTable table, int rows) {
    for (int limit : new int[] {1, rows - 1, rows, rows + 1}) {
      assertRows(
          table,
          "SELECT count(*), count(DISTINCT id) FROM (SELECT id FROM {t} LIMIT " + limit + ")",
          row((long) Math.min(limit, rows), (long) Math.min(limit, rows)));
    }
    assertRows(
        table,
        "SELECT count(*) FROM (SELECT id FROM {t} WHERE id > 2 LIMIT 1000000)",
        row(
            table.query(EntryPoint.CATALOG, "SELECT id FROM {t}").rows().stream()
                .filter(row -> (Integer) row.get(0) > 2)
                .count()));
  }

  @Test
  @Tag("R-30")
  void differentLimitsAreDifferentScans() {
    TestTable table = create("two", TableSpec.log("id INT, dt STRING"));
    table.apply(put(rows(1, 20, "a")));

    assertRows(
        table,
        "SELECT count(*) FROM ((SELECT id FROM {t} LIMIT 3) UNION ALL (SELECT id FROM {t} LIMIT 5)"
            + " UNION ALL (SELECT id FROM {t}))",
        row(28L));
  }

  @TestFactory
  @Tag("R-20")
  Stream<DynamicNode> countsOfBothSides() {
    return run(
        List.of(
            counts(
                PlacementCase.of("R-20 log", TableSpec.log("id INT NOT NULL, addr STRING"))
                    .lake(put(row(1, "x"), row(2, null), row(3, "y")))
                    .tail(put(row(4, "x"), row(5, null), row(6, "z")))
                    .query("SELECT count(*), count(id), count(addr) FROM {t}", row(6L, 6L, 4L))
                    .query("SELECT count(DISTINCT addr) FROM {t}", row(3L))),
            counts(
                PlacementCase.of("R-20 PK", TableSpec.keyed("id INT NOT NULL, addr STRING", "id"))
                    .lake(put(row(1, "x"), row(2, null), row(3, "y")))
                    .tail(put(row(2, "w"), row(5, null)), delete(row(3, null)))
                    .query("SELECT count(*), count(id), count(addr) FROM {t}", row(3L, 3L, 2L))
                    .query("SELECT count(DISTINCT addr) FROM {t}", row(2L)))));
  }

  private static PlacementCase counts(PlacementCase placementCase) {
    return placementCase
        .query("SELECT count(*), addr FROM {t} GROUP BY addr")
        .query("SELECT count(*), min(id), max(addr) FROM {t} WHERE id > 0");
  }
}
