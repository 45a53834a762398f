package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.Placement;
import io.lakestream.spark.it.harness.PlacementCase;
import io.lakestream.spark.it.harness.ScanMetrics;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Partitions: three spellings of the same typed values, and lives of their own in each tier. */
class PartitionTest extends IntegrationTest {
  private static final LocalDate NOVEMBER = LocalDate.of(2022, 11, 30);
  private static final LocalDate DECEMBER = LocalDate.of(2022, 12, 1);

  @TestFactory
  @Tag("R-03")
  Stream<DynamicNode> datePartitions() {
    TableSpec log = TableSpec.log("id BIGINT, d DATE, n INT").partitionedBy("d");
    TableSpec keyed = TableSpec.keyed("id BIGINT, d DATE, n INT", "id", "d").partitionedBy("d");
    return Stream.of(PlacementCase.of("R-03 log", log), PlacementCase.of("R-03 PK", keyed))
        .map(
            dates ->
                dates
                    .lake(put(row(10L, NOVEMBER, 1)))
                    .tail(put(row(11L, NOVEMBER, 2), row(12L, DECEMBER, 3)))
                    .query("SELECT count(*) FROM {t}", row(3L))
                    .query(
                        "SELECT d, count(*) FROM {t} GROUP BY d",
                        row(NOVEMBER, 2L),
                        row(DECEMBER, 1L))
                    .query("SELECT d FROM {t}", row(NOVEMBER), row(NOVEMBER), row(DECEMBER))
                    .query("SELECT id, n FROM {t} WHERE d = DATE'2022-12-01'", row(12L, 3)))
        .flatMap(this::run);
  }

  @TestFactory
  @Tag("R-03")
  Stream<DynamicNode> integerPartitions() {
    return Stream.of("INT", "BIGINT")
        .map(
            type -> {
              boolean wide = type.equals("BIGINT");
              Object first = wide ? (Object) 20221130L : (Object) 20221130;
              Object second = wide ? (Object) (-7L) : (Object) (-7);
              return PlacementCase.of(
                      "R-03 " + type,
                      TableSpec.log("id BIGINT, d " + type + ", n INT").partitionedBy("d"))
                  .lake(put(row(10L, first, 1)))
                  .tail(put(row(11L, first, 2), row(12L, second, 3)))
                  .query("SELECT count(*) FROM {t}", row(3L))
                  .query("SELECT d, count(*) FROM {t} GROUP BY d", row(first, 2L), row(second, 1L))
                  .query("SELECT id FROM {t} WHERE d < 0", row(12L));
            })
        .flatMap(this::run);
  }

  @TestFactory
  @Tag("R-03")
  Stream<DynamicNode> booleanPartitions() {
    return run(
        PlacementCase.of(
                "R-03 BOOLEAN",
                TableSpec.keyed("id BIGINT, d BOOLEAN, n INT", "id", "d").partitionedBy("d"))
            .lake(put(row(10L, true, 1)))
            .tail(put(row(11L, true, 2), row(12L, false, 3)))
            .query("SELECT d, count(*) FROM {t} GROUP BY d", row(true, 2L), row(false, 1L))
            .query("SELECT id FROM {t} WHERE NOT d", row(12L)));
  }

  @TestFactory
  @Tag("R-03")
  Stream<DynamicNode> twoPartitionColumns() {
    return run(
        PlacementCase.of(
                "R-03 (DATE, STRING)",
                TableSpec.log("id BIGINT, d DATE, c STRING, n INT").partitionedBy("d", "c"))
            .lake(put(row(10L, NOVEMBER, "x", 1)))
            .tail(put(row(11L, NOVEMBER, "x", 2), row(12L, DECEMBER, "y-1_z", 3)))
            .query("SELECT count(*) FROM {t}", row(3L))
            .query(
                "SELECT d, c, count(*) FROM {t} GROUP BY d, c",
                row(NOVEMBER, "x", 2L),
                row(DECEMBER, "y-1_z", 1L))
            .query("SELECT id FROM {t} WHERE c = 'y-1_z'", row(12L)));
  }

  @TestFactory
  @Tag("R-03")
  Stream<DynamicNode> smallTypesAsPartitions() {
    return run(
        PlacementCase.of(
                "R-03 TINYINT, SMALLINT, CHAR, BYTES, FLOAT, DOUBLE",
                TableSpec.log(
                        "id INT, t TINYINT, s SMALLINT, c CHAR(2), b BYTES, f FLOAT, d DOUBLE")
                    .partitionedBy("t", "s", "c", "b", "f", "d"))
            .lake(put(row(1, (byte) -1, (short) 300, "ab", new byte[] {1, -1}, 1.5f, -2.25)))
            .tail(
                put(
                    row(2, (byte) -1, (short) 300, "ab", new byte[] {1, -1}, 1.5f, -2.25),
                    row(3, (byte) 7, (short) -4, "cd", new byte[] {16}, -0.5f, 1e10)))
            .query("SELECT count(*) FROM {t}", row(3L))
            .query("SELECT * FROM {t}")
            .query("SELECT id FROM {t} WHERE t = 7 AND d > 0", row(3))
            .query("SELECT id FROM {t} WHERE f = 1.5", row(1), row(2))
            .in(Placement.ALL_LAKE, Placement.SPLIT));
  }

  @TestFactory
  @Tag("R-03")
  Stream<DynamicNode> timesAsPartitions() {
    LocalDateTime wallClock = LocalDateTime.of(2024, 2, 29, 23, 59, 59, 123_456_000);
    LocalDateTime ancient = LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_000_000);
    Instant moment = Instant.parse("2024-02-29T23:59:59.123456Z");
    Instant before = Instant.parse("1969-12-31T23:59:59.999Z");
    return run(
        PlacementCase.of(
                "R-03 TIMESTAMP, TIMESTAMP_LTZ, TIME",
                TableSpec.log("id INT, a TIMESTAMP(6), b TIMESTAMP_LTZ(6), c TIME(3)")
                    .partitionedBy("a", "b", "c"))
            .lake(put(row(1, wallClock, moment, 86_399_987)))
            .tail(put(row(2, wallClock, moment, 86_399_987), row(3, ancient, before, 0)))
            .query("SELECT count(*) FROM {t}", row(3L))
            .query("SELECT * FROM {t}")
            .query("SELECT id FROM {t} WHERE a < TIMESTAMP_NTZ'1970-01-01 00:00:00'", row(3))
            .in(Placement.ALL_LAKE, Placement.SPLIT));
  }

  @Test
  @Tag("R-04")
  void partitionGoneFromTheLogButAliveInTheLake() {
    TestTable table =
        create("o", TableSpec.keyed("id BIGINT, dt STRING, v INT", "id", "dt").partitionedBy("dt"));
    table.apply(
        put(row(1L, "p1", 11), row(2L, "p1", 12), row(3L, "p1", 13)),
        put(row(1L, "p2", 21), row(2L, "p2", 22)));
    table.tier();
    table.dropPartition(Map.of("dt", "p1"));
    table.apply(put(row(1L, "p3", 31)));

    assertRows(table, "SELECT count(*) FROM {t}", row(6L));
    assertRows(table, "SELECT count(*) FROM {t} WHERE dt = 'p1'", row(3L));
    assertRows(table, "SELECT v FROM {t} WHERE id = 1 AND dt = 'p1'", row(11));
    assertRows(table, "SELECT v FROM {t} WHERE id = 1 AND dt = 'zz'");
  }

  @Test
  @Tag("R-04")
  void partitionCreatedAgainAfterItWasDropped() {
    TestTable table = create("o", TableSpec.log("id BIGINT, dt STRING, v INT").partitionedBy("dt"));
    table.apply(put(row(1L, "p1", 11), row(2L, "p1", 12)));
    table.tier();
    table.dropPartition(Map.of("dt", "p1"));
    table.apply(put(row(3L, "p1", 13)));

    assertRows(table, "SELECT id, v FROM {t}", row(1L, 11), row(2L, 12), row(3L, 13));

    table.tier();

    assertRows(table, "SELECT id, v FROM {t}", row(1L, 11), row(2L, 12), row(3L, 13));
    assertRows(
        EntryPoint.LAKE_ONLY,
        table,
        "SELECT id, v FROM {t}",
        row(1L, 11),
        row(2L, 12),
        row(3L, 13));
  }

  @Test
  @Tag("R-04")
  void roundAfterAPartitionWasDropped() {
    TestTable table =
        create("o", TableSpec.keyed("id BIGINT, dt STRING, v INT", "id", "dt").partitionedBy("dt"));
    table.apply(put(row(1L, "p1", 11), row(2L, "p2", 22)));
    table.tier();
    table.dropPartition(Map.of("dt", "p1"));
    table.apply(put(row(2L, "p2", 23), row(1L, "p3", 31)));
    table.tier();

    assertRows(
        table,
        "SELECT id, dt, v FROM {t}",
        row(1L, "p1", 11),
        row(2L, "p2", 23),
        row(1L, "p3", 31));
  }

  @TestFactory
  @Tag("R-05")
  Stream<DynamicNode> filtersOnADatePartition() {
    LocalDate october = LocalDate.of(2021, 10, 31);
    LocalDate november = LocalDate.of(2021, 11, 1);
    // A filter on a range keeps the join's other side from being folded away while planning, so
    // that it can prune partitions at run time.
    String dimension =
        "(SELECT date_add(DATE'2021-10-31', CAST(id AS INT)) AS day FROM range(0, 2) WHERE id < 1)";
    return run(
        PlacementCase.of(
                "R-05", TableSpec.log("id INT, cc STRING, d DATE").partitionedBy("cc", "d"))
            .lake(put(row(1, "NO", october), row(2, "NO", november), row(3, "SE", october)))
            .tail(put(row(4, "NO", october)))
            .query("SELECT id FROM {t} WHERE cc = 'NO' AND d = DATE'2021-10-31'", row(1), row(4))
            .query("SELECT id FROM {t} WHERE d IN (DATE'2021-11-01', DATE'2021-11-02')", row(2))
            .query(
                "SELECT id FROM {t} WHERE d BETWEEN DATE'2021-10-30' AND DATE'2021-10-31'",
                row(1),
                row(3),
                row(4))
            .query("SELECT id FROM {t} WHERE d <> DATE'2021-10-31'", row(2))
            .query("SELECT id FROM {t} WHERE d <=> DATE'2021-11-01' OR cc = 'SE'", row(2), row(3))
            .query("SELECT id FROM {t} WHERE year(d) = 2021 AND month(d) = 11", row(2))
            .query("SELECT id FROM {t} WHERE d IS NULL OR cc LIKE 'S%'", row(3))
            .query(
                "SELECT s.id FROM {t} s JOIN " + dimension + " dim ON s.d = dim.day",
                row(1),
                row(3),
                row(4)));
  }

  @Test
  @Tag("R-05")
  void partitionsThatCannotMatchAreNotReadOnEitherSide() {
    TestTable table =
        create("pruned", TableSpec.log("id INT, d DATE, s STRING").partitionedBy("d", "s"));
    LocalDate day = LocalDate.of(2021, 10, 31);
    LocalDate next = day.plusDays(1);
    table.apply(put(row(1, day, "a"), row(2, day, "a"), row(3, day, "b"), row(4, next, "a")));
    table.tier();
    table.apply(put(row(5, day, "a"), row(6, next, "b"), row(7, next, "b")));
    String query = "SELECT id FROM {t} WHERE d = DATE'2021-10-31' AND s IN ('a', 'c')";
    for (EntryPoint entryPoint : List.of(EntryPoint.CATALOG, EntryPoint.FORMAT)) {
      ScanMetrics metrics = ScanMetrics.of(table.dataset(entryPoint, query));
      assertThat(metrics.sum("lakeRows")).isEqualTo(2);
      assertThat(metrics.sum("logRows")).isEqualTo(1);
      assertThat(table.dataset(entryPoint, query).collectAsList())
          .containsExactlyInAnyOrder(row(1), row(2), row(5));
    }
  }
}
