package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.PlacementCase;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names with letters of both cases, dots and other characters. */
@Tag("R-16")
class NamesTest extends IntegrationTest {
  private static final TableSpec MIXED =
      TableSpec.log("Id INT, `MONTH` INT, st ROW<`First` STRING>");

  /** A catalog whose tables have no lake, and so no lake's bounds on names. */
  private static final String WITHOUT_LAKE = "names_without_lake";

  @BeforeAll
  void addCatalog() {
    var conf = environment().spark().conf();
    String catalog = "spark.sql.catalog." + WITHOUT_LAKE;
    conf.set(catalog, "io.lakestream.spark.catalog.LakestreamCatalog");
    conf.set(catalog + ".bootstrap.servers", environment().bootstrapServers());
  }

  @TestFactory
  Stream<DynamicNode> namesInAnyCase() {
    return run(
        Stream.of(MIXED, TableSpec.keyed(MIXED.columns(), "Id"))
            .map(
                spec ->
                    PlacementCase.of("R-16 " + (spec == MIXED ? "log" : "PK"), spec)
                        .lake(put(row(1, 5, row("a")), row(3, 6, row("c"))))
                        .tail(put(row(2, 6, row("b")), row(4, 7, row("d"))))
                        .query("SELECT Id FROM {t} WHERE month = 6 AND id = 3", row(3))
                        .query("SELECT st.first FROM {t} WHERE ID = 2", row("b"))
                        .query(
                            "SELECT l.MONTH FROM {t} l JOIN {t} r ON l.ID = r.id + 1",
                            row(6),
                            row(6),
                            row(7)))
            .toList());
  }

  @Test
  void caseSensitiveSession() throws Exception {
    TestTable table = create("cs", MIXED);
    table.apply(put(row(1, 5, row("a"))));
    table.tier();
    table.apply(put(row(3, 6, row("c"))));
    withSettings(
        Map.of("spark.sql.caseSensitive", "true"),
        () -> {
          assertRows(table, "SELECT Id FROM {t} WHERE MONTH = 6", row(3));
          assertRows(table, "SELECT st.First FROM {t} WHERE Id = 1", row("a"));
          for (String query : List.of("SELECT id FROM {t}", "SELECT st.first FROM {t}")) {
            assertThatThrownBy(() -> table.query(EntryPoint.CATALOG, query))
                .isInstanceOf(org.apache.spark.sql.AnalysisException.class);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"`a.b` INT", "`a b` INT", "`größe` INT", "`1st` INT", "st STRUCT<`x-y`: INT>"})
  void namesThatTheLakeCannotStore(String column) {
    String name = database() + "." + uniqueName("odd");
    assertThatThrownBy(() -> sql("CREATE TABLE lake." + name + " (id INT, " + column + ")"))
        .hasMessageContaining("LAKESTREAM_INVALID_TABLE_DEFINITION")
        .hasMessageContaining("cannot be stored in the lake");

    sql("CREATE TABLE lake." + name + " (id INT)");
    assertThatThrownBy(() -> sql("ALTER TABLE lake." + name + " ADD COLUMN " + column))
        .hasMessageContaining("LAKESTREAM_INVALID_TABLE_DEFINITION")
        .hasMessageContaining("cannot be stored in the lake");
  }

  @Test
  void dotsAndSpacesInATableWithoutALake() {
    TestTable table = TestTable.existing(environment(), database(), uniqueName("dots"));
    sql(
        "CREATE TABLE %s.%s (`a.b` INT, a STRUCT<b: INT>, `größe in m` INT)"
                .formatted(WITHOUT_LAKE, table.path())
            + " TBLPROPERTIES ('bucket.num'='1')");
    table.apply(put(row(1, row((Object) null), 10), row(null, row(2), 20)));

    String from = "SELECT `größe in m` FROM " + WITHOUT_LAKE + "." + table.path() + " WHERE ";
    assertThat(from + "`a.b` IS NOT NULL", 10);
    assertThat(from + "a.b IS NOT NULL", 20);
    assertThat(from + "`größe in m` > 10", 20);
    assertThat(from + "`a.b` = 1 AND a.b IS NULL", 10);
  }

  private void assertThat(String query, int expected) {
    org.assertj.core.api.Assertions.assertThat(sql(query).collectAsList())
        .as(query)
        .containsExactly(row(expected));
  }
}
