package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.addColumn;
import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.harness.Answer;
import io.lakestream.spark.it.harness.Change;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.PlacementCase;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Reads and rounds across added columns: rows that are older than a column have NULL in it. */
@Tag("R-29")
class SchemaEvolutionTest extends IntegrationTest {
  private static final TableSpec LOG = TableSpec.log("id INT, s STRING");
  private static final TableSpec KEYED = TableSpec.keyed("id INT, s STRING", "id");
  private static final Change FIRST = put(row(1, "a"), row(2, "b"), row(3, "c"));

  @TestFactory
  Stream<DynamicNode> columnAddedBetweenTheRowsOfTheTail() {
    return run(
        List.of(
            withNewColumn(PlacementCase.of("R-29 log", LOG), put(row(6, "f", 60L)))
                .query(
                    "SELECT n FROM {t}",
                    row((Object) null),
                    row((Object) null),
                    row((Object) null),
                    row((Object) null),
                    row((Object) null),
                    row(60L),
                    row(70L))
                .query("SELECT count(n), count(*) FROM {t}", row(2L, 7L))
                .query(
                    "SELECT n, id FROM {t} WHERE n IS NULL",
                    row(null, 1),
                    row(null, 2),
                    row(null, 3),
                    row(null, 4),
                    row(null, 5)),
            withNewColumn(PlacementCase.of("R-29 PK", KEYED), put(row(1, "a2", 60L)))
                .query(
                    "SELECT n, id FROM {t} WHERE n IS NULL",
                    row(null, 2),
                    row(null, 3),
                    row(null, 4),
                    row(null, 5))
                .query("SELECT count(n), count(*), sum(n) FROM {t}", row(2L, 6L, 130L))));
  }

  private static PlacementCase withNewColumn(PlacementCase placementCase, Change afterIt) {
    return placementCase
        .lake(FIRST)
        .tail(
            put(row(4, "d"), row(5, "e")), addColumn("n", "BIGINT"), afterIt, put(row(7, "g", 70L)))
        .query("SELECT * FROM {t}")
        .query("SELECT id FROM {t} WHERE n > 65", row(7))
        .query("SELECT s FROM {t} WHERE n IS NOT NULL AND id = 7", row("g"))
        .query("SELECT count(*) FROM (SELECT * FROM {t} LIMIT 3)", row(3L));
  }

  @TestFactory
  Stream<DynamicNode> columnAddedBeforeTheFirstRound() {
    return run(
        PlacementCase.of("R-29 PK, added in the lake's part", KEYED)
            .base(FIRST)
            .lake(addColumn("n", "BIGINT"), put(row(1, "a2", 10L)), delete(row(2, null, null)))
            .tail(put(row(2, "b3", null), row(4, "d", 40L)), delete(row(1, null, null)))
            .query("SELECT * FROM {t}", row(2, "b3", null), row(3, "c", null), row(4, "d", 40L))
            .query("SELECT id FROM {t} WHERE n IS NULL", row(2), row(3)));
  }

  @TestFactory
  Stream<DynamicNode> columnsOfManyTypes() {
    List<Change> additions = new ArrayList<>();
    additions.add(addColumn("amount", "DECIMAL(12, 3)"));
    additions.add(addColumn("day", "DATE"));
    additions.add(addColumn("moment", "TIMESTAMP_LTZ(6)"));
    additions.add(addColumn("tags", "ARRAY<STRING>"));
    additions.add(addColumn("place", "ROW<city STRING, zip INT>"));
    additions.add(addColumn("flag", "BOOLEAN"));
    Row after =
        row(
            2,
            "new",
            new BigDecimal("12.345"),
            LocalDate.of(2026, 11, 30),
            Instant.parse("2026-11-30T01:02:03.456789Z"),
            List.of("x", "y"),
            row("Oslo", 150),
            true);
    return run(
        Stream.of(LOG, KEYED)
            .map(
                spec ->
                    PlacementCase.of("R-29 types " + (spec == LOG ? "log" : "PK"), spec)
                        .lake(FIRST)
                        .tail(additions.toArray(Change[]::new))
                        .tail(put(after), addColumn("late", "SMALLINT"))
                        .tail(put(row(9, "i", null, null, null, null, null, null, (short) 9)))
                        .query("SELECT * FROM {t}")
                        .query("SELECT late, place.city, tags[1] FROM {t}")
                        .query("SELECT id FROM {t} WHERE place.zip = 150", row(2))
                        .query(
                            "SELECT count(late), count(flag), count(moment) FROM {t}",
                            row(1L, 1L, 1L)))
            .toList());
  }

  @TestFactory
  Stream<DynamicNode> partitionedTable() {
    TableSpec spec =
        TableSpec.keyed("id INT, dt STRING, v INT", "id", "dt").partitionedBy("dt").buckets(2);
    return run(
        PlacementCase.of("R-29 partitioned PK", spec)
            .lake(put(row(1, "a", 10), row(2, "a", 20), row(3, "b", 30)))
            .tail(
                addColumn("n", "STRING"),
                put(row(2, "a", 21, "new"), row(4, "c", 40, null)),
                delete(row(3, "b", null, null)))
            .query(
                "SELECT * FROM {t}",
                row(1, "a", 10, null),
                row(2, "a", 21, "new"),
                row(4, "c", 40, null))
            .query("SELECT n FROM {t} WHERE dt = 'a'", row((Object) null), row("new")));
  }

  /** The case's own words: a round whose range crosses the change, and another one. */
  @Test
  void roundsAroundTheChange() {
    for (TableSpec spec : List.of(LOG, KEYED)) {
      TestTable table = create("ae", spec);
      Dataset<Row> planned = table.load();
      table.apply(FIRST);
      table.tier();
      table.apply(put(row(4, "d")), addColumn("n", "BIGINT"), put(row(5, "e", 50L)));
      assertFive(table);
      table.tier();
      assertFive(table);
      table.apply(addColumn("m", "STRING"));
      table.tier();
      table.apply(put(row(6, "f", 60L, "m6")));
      table.tier();
      if (spec == KEYED) {
        table.compact();
      }
      for (EntryPoint entryPoint : EntryPoint.values()) {
        assertRows(
            entryPoint,
            table,
            "SELECT id, n, m FROM {t} WHERE id > 3",
            row(4, null, null),
            row(5, 50L, null),
            row(6, 60L, "m6"));
      }
      assertThat(Answer.of(planned.where("id = 6")).rows())
          .as("a read planned before the change, with the columns of then")
          .containsExactly(List.of(6, "f"));
    }
  }

  private void assertFive(TestTable table) {
    assertRows(
        table,
        "SELECT id, n FROM {t}",
        row(1, null),
        row(2, null),
        row(3, null),
        row(4, null),
        row(5, 50L));
  }

  @Test
  void lakeAsOfAnInstantBeforeTheColumn() {
    TestTable table = create("before", KEYED);
    table.apply(FIRST);
    String instant = table.tierOnce();
    table.apply(addColumn("n", "BIGINT"), put(row(1, "a2", 10L)));
    String later = table.tierOnce();

    String asOf = "SELECT * FROM " + table.sqlName() + " VERSION AS OF '%s' ORDER BY id";
    assertThat(Answer.of(sql(asOf.formatted(instant))).rows())
        .isEqualTo(Answer.rows(List.of(row(1, "a", null), row(2, "b", null), row(3, "c", null))));
    assertThat(Answer.of(sql(asOf.formatted(later))).rows())
        .isEqualTo(Answer.rows(List.of(row(1, "a2", 10L), row(2, "b", null), row(3, "c", null))));
  }

  @Test
  void cachedTableIsNotTakenForTheAlteredOne() {
    TestTable table = create("cached", LOG);
    table.apply(FIRST);
    sql("CACHE TABLE cached_before AS SELECT id FROM " + table.sqlName());
    try {
      table.apply(put(row(4, "d")));
      assertThat(sql("SELECT * FROM cached_before").count()).as("the cache answers").isEqualTo(3);

      table.apply(addColumn("n", "BIGINT"), put(row(5, "e", 50L)));
      assertThat(sql("SELECT * FROM cached_before").count()).as("another table").isEqualTo(5);
      assertRows(table, "SELECT max(n), count(*) FROM {t}", row(50L, 5L));
    } finally {
      sql("UNCACHE TABLE cached_before");
    }
  }

  @Test
  void writesBySparkBeforeAndAfterTheChange() throws Exception {
    for (TableSpec spec : List.of(LOG, KEYED)) {
      TestTable table = create("written", spec);
      sql("INSERT INTO " + table.sqlName() + " VALUES (1, 'a')");
      table.apply(addColumn("n", "BIGINT"));
      sql("INSERT INTO " + table.sqlName() + " VALUES (2, 'b', 20)");
      withSettings(
          Map.of("spark.sql.codegen.wholeStage", "false"),
          () -> sql("INSERT INTO " + table.sqlName() + " SELECT 3, 'c', NULL"));

      assertRows(
          table, "SELECT * FROM {t}", row(1, "a", null), row(2, "b", 20L), row(3, "c", null));
    }
  }
}
