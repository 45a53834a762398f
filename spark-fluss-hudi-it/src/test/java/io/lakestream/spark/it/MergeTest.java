package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;

import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.PlacementCase;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Primary-key tables: the last change by offset is the answer for a key. */
class MergeTest extends IntegrationTest {
  private static final TableSpec SEQUENCE = TableSpec.keyed("k BIGINT, v STRING", "k");
  private static final String RANGE = "SELECT count(*), min(k), max(k) FROM {t}";

  @TestFactory
  @Tag("R-06")
  Stream<DynamicNode> keysOfTheTailAndTheLakeDoNotOverlap() {
    return run(
        List.of(
            PlacementCase.of("R-06 newest keys above", SEQUENCE)
                .lake(put(sequence(1, 70)))
                .tail(put(sequence(71, 130)))
                .query(RANGE, row(130L, 1L, 130L)),
            PlacementCase.of("R-06 newest keys below", SEQUENCE)
                .lake(put(sequence(61, 130)))
                .tail(put(sequence(1, 60)))
                .query(RANGE, row(130L, 1L, 130L)),
            PlacementCase.of("R-06 every lake key deleted", SEQUENCE)
                .lake(put(sequence(1, 70)))
                .tail(put(sequence(71, 130)), delete(sequence(1, 70)))
                .query(RANGE, row(60L, 71L, 130L)),
            PlacementCase.of("R-06 every key deleted", SEQUENCE)
                .lake(put(sequence(1, 9)))
                .tail(delete(sequence(1, 9)))
                .query("SELECT count(*) FROM {t}", row(0L))
                .queryWithoutRows("SELECT * FROM {t}")));
  }

  @TestFactory
  @Tag("R-06")
  Stream<DynamicNode> keyDeletedAndInsertedAgain() {
    return run(
        PlacementCase.of("R-06 deleted and inserted again", SEQUENCE)
            .lake(put(row(1L, "a"), row(2L, "b"), row(3L, "c")), delete(row(3L, null)))
            .tail(
                delete(row(1L, null)),
                put(row(1L, "a2")),
                put(row(3L, "c2")),
                put(row(4L, "d")),
                delete(row(4L, null)))
            .query("SELECT * FROM {t}", row(1L, "a2"), row(2L, "b"), row(3L, "c2"))
            .query("SELECT k FROM {t} WHERE v = 'a' OR v = 'c2'", row(3L)));
  }

  @TestFactory
  @Tag("R-07")
  Stream<DynamicNode> keyColumnsThatAreNotTheFirst() {
    TableSpec spec = TableSpec.keyed("a INT, nm STRING, k1 INT, k2 STRING", "k1", "k2");
    return run(
        List.of(
            PlacementCase.of("R-07 empty", spec).queryWithoutRows("SELECT * FROM {t}"),
            PlacementCase.of("R-07", spec)
                .lake(put(row(1, "x", 8, "p"), row(2, "y", 9, "q")))
                .tail(put(row(5, "xx", 8, "p")))
                .query("SELECT * FROM {t}", row(5, "xx", 8, "p"), row(2, "y", 9, "q"))
                .query("SELECT nm FROM {t}", row("xx"), row("y"))
                .query("SELECT k2, a FROM {t}", row("p", 5), row("q", 2))
                .query("SELECT a FROM {t} WHERE k2 = 'p' AND k1 = 8", row(5))
                .query("SELECT count(*) FROM {t}", row(2L))));
  }

  @TestFactory
  @Tag("R-07")
  Stream<DynamicNode> keyOrderThatIsNotTheColumnOrder() {
    return run(
        PlacementCase.of(
                "R-07 key (k2, k1)",
                TableSpec.keyed("k1 INT, v STRING, k2 STRING, w INT", "k2", "k1").buckets(2, "k1"))
            .lake(put(row(1, "a", "x", 1), row(1, "b", "y", 2), row(2, "c", "x", 3)))
            .tail(put(row(1, "bb", "y", 22)), delete(row(2, null, "x", null)))
            .query("SELECT * FROM {t}", row(1, "a", "x", 1), row(1, "bb", "y", 22))
            .query("SELECT w, v FROM {t}", row(1, "a"), row(22, "bb")));
  }

  @ParameterizedTest
  @CsvSource({"hudi.hoodie.datasource.write.precombine.field, ver", "hudi.changelog.enabled, true"})
  @Tag("R-08")
  void lateDeleteAndSmallerVersionWin(String property, String value) {
    TestTable table =
        create(
            "u", TableSpec.keyed("id INT, s STRING, ver BIGINT", "id").property(property, value));

    table.apply(put(row(7, "m", 500L), row(8, "z", 10L)));
    assertUnion(table, row(7, "m", 500L), row(8, "z", 10L));
    table.tier();
    assertUnionAndLake(table, row(7, "m", 500L), row(8, "z", 10L));

    table.apply(
        put(row(7, "n", 420L)),
        delete(row(7, null, null)),
        put(row(8, "y", 11L)),
        put(row(8, "x", 12L)));
    assertUnion(table, row(8, "x", 12L));
    table.tier();
    assertUnionAndLake(table, row(8, "x", 12L));

    table.apply(put(row(7, "o", 300L)));
    assertUnion(table, row(7, "o", 300L), row(8, "x", 12L));
    table.tier();
    assertUnionAndLake(table, row(7, "o", 300L), row(8, "x", 12L));

    table.compact();
    assertUnionAndLake(table, row(7, "o", 300L), row(8, "x", 12L));

    table.apply(put(row(8, "w", 1L)), delete(row(7, null, null)));
    assertUnion(table, row(8, "w", 1L));
    table.tier();
    table.compact();
    assertUnionAndLake(table, row(8, "w", 1L));
  }

  @TestFactory
  @Tag("R-08")
  Stream<DynamicNode> columnThatHudiTakesForAnOrderingField() {
    return run(
        PlacementCase.of("R-08 ts", TableSpec.keyed("id INT, ts BIGINT, s STRING", "id"))
            .base(put(row(1, 900L, "base"), row(2, 900L, "base")))
            .lake(put(row(1, 500L, "lake")), delete(row(2, null, null)))
            .tail(put(row(1, 100L, "tail")))
            .query("SELECT * FROM {t}", row(1, 100L, "tail"))
            .queryWithoutRows("SELECT id FROM {t} WHERE ts > 100"));
  }

  private void assertUnion(TestTable table, Row... expected) {
    assertRows(table, "SELECT * FROM {t}", expected);
  }

  private void assertUnionAndLake(TestTable table, Row... expected) {
    assertUnion(table, expected);
    assertRows(EntryPoint.LAKE_ONLY, table, "SELECT * FROM {t}", expected);
  }

  private static List<Row> sequence(long first, long last) {
    return LongStream.rangeClosed(first, last).mapToObj(k -> row(k, "v" + k)).toList();
  }
}
