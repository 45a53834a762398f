package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;

import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.PlacementCase;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Filters remove rows of the answer, never versions of a row, and compare as Spark compares. */
class FilterTest extends IntegrationTest {
  private static final TableSpec PEOPLE = TableSpec.keyed("id INT, age INT, ver BIGINT", "id");
  private static final String NONE = "SELECT id FROM {t} WHERE ";

  @TestFactory
  @Tag("R-13")
  Stream<DynamicNode> filterOnAColumnThatAnUpdateChanges() {
    return run(
        List.of(
            ages(
                PlacementCase.of("R-13 (a)", PEOPLE)
                    .lake(put(row(1, 40, 1L)))
                    .tail(put(row(1, 41, 2L)))),
            ages(
                PlacementCase.of("R-13 (b)", PEOPLE)
                    .base(put(row(1, 40, 1L)))
                    .lake(put(row(1, 41, 2L)))),
            PlacementCase.of("R-13 (c)", PEOPLE)
                .lake(put(row(2, 50, 1L)))
                .tail(delete(row(2, null, null)))
                .queryWithoutRows(NONE + "age = 50")
                .query("SELECT count(*) FROM {t} WHERE age >= 40", row(0L)),
            PlacementCase.of("R-13 on the key and others", PEOPLE)
                .base(put(row(1, 40, 1L), row(2, 40, 1L), row(3, 40, 1L)))
                .lake(put(row(2, 41, 2L)), delete(row(3, null, null)))
                .tail(put(row(1, 39, 3L), row(3, 42, 4L)))
                .query("SELECT id FROM {t} WHERE age < 40 OR id = 3", row(1), row(3))
                .queryWithoutRows("SELECT id FROM {t} WHERE id = 1 AND age = 40")
                .query("SELECT age FROM {t} WHERE id IN (2, 9)", row(41))));
  }

  private static PlacementCase ages(PlacementCase placementCase) {
    return placementCase
        .queryWithoutRows(NONE + "age = 40")
        .query("SELECT id FROM {t} WHERE age = 41", row(1))
        .queryWithoutRows(NONE + "age = 50")
        .queryWithoutRows(NONE + "age <> 41")
        .query("SELECT count(*) FROM {t} WHERE age >= 40", row(1L));
  }

  @TestFactory
  @Tag("R-14")
  Stream<DynamicNode> nullInTheColumnAndInTheList() {
    Row[] lake = {row(1, 1), row(3, null)};
    return run(
        List.of(
            nulls(
                PlacementCase.of("R-14 log", TableSpec.log("id INT, x INT"))
                    .lake(put(lake))
                    .tail(put(row(2, 2)))),
            nulls(
                PlacementCase.of("R-14 PK", TableSpec.keyed("id INT, x INT", "id"))
                    .lake(put(row(1, null), row(3, null)))
                    .tail(put(row(2, 2), row(1, 1)))),
            nulls(
                    PlacementCase.of(
                            "R-14 partitioned",
                            TableSpec.log("id INT, x INT, p INT").partitionedBy("p"))
                        .lake(put(row(1, 1, 1), row(3, null, 2)))
                        .tail(put(row(2, 2, 1))))
                .query("SELECT id FROM {t} WHERE p NOT IN (1)", row(3))
                .queryWithoutRows("SELECT id FROM {t} WHERE p NOT IN (1, NULL)")
                .query("SELECT id FROM {t} WHERE p IN (2, NULL)", row(3))
                .query("SELECT id FROM {t} WHERE NOT (p <=> 1)", row(3))
                .queryWithoutRows("SELECT id FROM {t} WHERE p <=> NULL")));
  }

  private static PlacementCase nulls(PlacementCase placementCase) {
    String x = "SELECT x FROM {t} WHERE ";
    Row none = row((Object) null);
    return placementCase
        .query(x + "x NOT IN (1)", row(2))
        .queryWithoutRows(x + "x NOT IN (1, NULL)")
        .query(x + "x IN (1, NULL)", row(1))
        .query(x + "NOT (x = 1)", row(2))
        .query(x + "x <> 1", row(2))
        .query(x + "x <=> NULL", none)
        .query(x + "NOT (x <=> 1)", row(2), none)
        .query(x + "x IN (SELECT x FROM {t} WHERE id <> 2)", row(1))
        .queryWithoutRows(x + "x NOT IN (SELECT x FROM {t} WHERE id <> 2)")
        .query(x + "coalesce(x, 9) > 1", row(2), none);
  }

  private static final TableSpec FLOATS = TableSpec.log("id INT, d DOUBLE, g FLOAT");
  private static final Row[] FLOAT_ROWS = {
    row(1, 1.0, 1.0f),
    row(2, Double.NaN, Float.NaN),
    row(3, null, null),
    row(4, Double.POSITIVE_INFINITY, Float.POSITIVE_INFINITY),
    row(5, 0.0, 0.0f)
  };

  @TestFactory
  @Tag("R-15")
  Stream<DynamicNode> notANumberInfinityAndNegativeZero() {
    PlacementCase placementCase =
        PlacementCase.of("R-15", FLOATS)
            .base(put(FLOAT_ROWS[0]))
            .lake(put(FLOAT_ROWS[1], FLOAT_ROWS[2]))
            .tail(put(FLOAT_ROWS[3], FLOAT_ROWS[4]));
    for (String column : List.of("d", "g")) {
      for (FloatFilter filter : FLOAT_FILTERS) {
        placementCase =
            filter.ids().isEmpty()
                ? placementCase.queryWithoutRows(filter.query(column))
                : placementCase.query(
                    filter.query(column),
                    row(filter.ids().get(0)),
                    filter.ids().stream().skip(1).map(id -> row(id)).toArray(Row[]::new));
      }
    }
    return run(placementCase);
  }

  /** A condition in which {@code x} is the column, and the ids that satisfy it. */
  private record FloatFilter(String condition, List<Integer> ids) {
    String query(String column) {
      return "SELECT id FROM {t} WHERE " + condition.replace("x", column);
    }
  }

  private static final List<FloatFilter> FLOAT_FILTERS =
      List.of(
          new FloatFilter("x > 5", List.of(2, 4)),
          new FloatFilter("x = double('NaN')", List.of(2)),
          new FloatFilter("x <=> double('NaN')", List.of(2)),
          new FloatFilter("x <> 1.0", List.of(2, 4, 5)),
          new FloatFilter("x = -0.0", List.of(5)),
          new FloatFilter("x < double('Infinity')", List.of(1, 5)),
          new FloatFilter("x < double('-Infinity')", List.of()));

  @Test
  @Tag("R-15")
  void oneFloatPerLakeFile() {
    TestTable table = create("files", FLOATS);
    for (Row row : FLOAT_ROWS) {
      table.apply(put(row));
      table.tier();
    }
    for (FloatFilter filter : FLOAT_FILTERS) {
      Row[] expected = filter.ids().stream().map(id -> row(id)).toArray(Row[]::new);
      assertRows(table, filter.query("d"), expected);
      assertRows(table, filter.query("g"), expected);
    }
  }

  @TestFactory
  @Tag("R-18")
  Stream<DynamicNode> decimalLiteralOfAnotherScale() {
    String count = "SELECT count(*) FROM {t} WHERE ";
    return run(
        PlacementCase.of("R-18", TableSpec.log("id INT, d DECIMAL(7, 2)"))
            .lake(put(row(1, new BigDecimal("250.00")), row(2, new BigDecimal("250.01"))))
            .tail(put(row(3, new BigDecimal("249.99"))))
            .query(count + "d >= 250", row(2L))
            .query(count + "d = 250.0", row(1L))
            .query(count + "d > 249.995", row(2L))
            .query(count + "d = 250.001", row(0L))
            .query(count + "d < 99999999999.99", row(3L))
            .query(count + "d IN (250, 250.010)", row(2L))
            .query(count + "d > -99999999999", row(3L)));
  }
}
