package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;

import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.PlacementCase;
import io.lakestream.spark.it.harness.TableSpec;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Any columns, in any order, and none at all. */
class ProjectionTest extends IntegrationTest {

  @TestFactory
  @Tag("R-10")
  Stream<DynamicNode> noColumns() {
    String columns = "id BIGINT, item BIGINT, n INT, a STRING";
    Row[] lake = {row(1L, 10L, 1, "a"), row(2L, 20L, 0, null), row(3L, 30L, 3, "c")};
    Row[] tail = {
      row(4L, 40L, 4, "d"), row(5L, 50L, 0, "e"), row(6L, 60L, 6, null), row(3L, 31L, -3, "cc")
    };
    return Stream.of(
            withRowCount(PlacementCase.of("R-10 log", TableSpec.log(columns)), 7, 4),
            withRowCount(PlacementCase.of("R-10 PK", TableSpec.keyed(columns, "id")), 6, 3))
        .map(orders -> orders.lake(put(lake)).tail(put(tail)))
        .flatMap(this::run);
  }

  private static PlacementCase withRowCount(PlacementCase orders, long all, long positive) {
    return orders
        .query("SELECT count(*) FROM {t}", row(all))
        .query("SELECT count(1) FROM {t}", row(all))
        .query("SELECT 1 FROM {t}")
        .query("SELECT 'x' FROM {t} WHERE EXISTS (SELECT 1 FROM {t})")
        .query("SELECT count(*) FROM {t} WHERE n > 0", row(positive));
  }

  @TestFactory
  @Tag("R-11")
  Stream<DynamicNode> columnsWhoseTypesDifferByPosition() {
    String columns =
        "id INT, t TIMESTAMP(3), arr ARRAY<INT>, st ROW<a INT, b STRING>, amt DECIMAL(10,2)";
    LocalDateTime time = LocalDateTime.of(2024, 2, 29, 23, 59, 59, 987_000_000);
    BigDecimal amount = new BigDecimal("12345678.90");
    Row full = row(1, time, List.of(1, 2), row(7, "s"), amount);
    Row fullTail = row(3, time.minusYears(80), List.of(3), row(-7, "t"), amount.negate());
    return Stream.of(
            PlacementCase.of("R-11 log", TableSpec.log(columns)),
            PlacementCase.of("R-11 PK", TableSpec.keyed(columns, "id")))
        .map(
            table ->
                table
                    .lake(put(full, row(2, null, null, null, null)))
                    .tail(put(fullTail, row(4, null, null, null, null)))
                    .query("SELECT * FROM {t}")
                    .query(
                        "SELECT st, id FROM {t}",
                        row(row(7, "s"), 1),
                        row(null, 2),
                        row(row(-7, "t"), 3),
                        row(null, 4))
                    .query("SELECT amt, t FROM {t}")
                    .query(
                        "SELECT arr FROM {t}",
                        row(List.of(1, 2)),
                        row((Object) null),
                        row(List.of(3)),
                        row((Object) null))
                    .query("SELECT t FROM {t} WHERE amt > 1", row(time))
                    .query(
                        "SELECT amt, id, amt FROM {t} WHERE id = 3",
                        row(amount.negate(), 3, amount.negate())))
        .flatMap(this::run);
  }

  @TestFactory
  @Tag("R-12")
  Stream<DynamicNode> nestedFieldsOfMergedFiles() {
    Row second = row(2, person("n2", "c2", 20), List.of(tag("k2", 2), tag("kk", 22)));
    return run(
        PlacementCase.of(
                "R-12",
                TableSpec.keyed(
                    "id INT, u ROW<nm STRING, ad ROW<city STRING, zip INT>>,"
                        + " tags ARRAY<ROW<k STRING, v INT>>",
                    "id"))
            .base(
                put(
                    row(1, person("n1", "c1", 10), List.of(tag("k1", 1))),
                    row(2, person("old", "old", 0), List.of()),
                    row(3, person("n3", "c3", 30), null)))
            .lake(put(second))
            .tail(
                put(
                    row(3, person("n3", "c33", 33), List.of(tag("k3", 3))),
                    row(4, null, List.of(tag(null, null))),
                    row(5, row("n5", null), List.of())))
            .query("SELECT * FROM {t}")
            .query(
                "SELECT u.ad.city FROM {t}",
                row("c1"),
                row("c2"),
                row("c33"),
                row((Object) null),
                row((Object) null))
            .query("SELECT id FROM {t} WHERE u.nm = 'n2'", row(2))
            .query("SELECT id FROM {t} WHERE u.ad.zip IS NULL", row(4), row(5))
            .query("SELECT tags.v FROM {t}")
            .query(
                "SELECT u.ad.zip, tags[0].k FROM {t}",
                row(10, "k1"),
                row(20, "k2"),
                row(33, "k3"),
                row(null, null),
                row(null, null)));
  }

  private static Row person(String name, String city, Integer zip) {
    return row(name, row(city, zip));
  }

  private static Row tag(String key, Integer value) {
    return row(key, value);
  }
}
