package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.ForeignLake;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Users see the declared columns and no others, whichever layout the lake has. */
@Tag("R-36")
class SystemColumnsTest extends IntegrationTest {
  private static final String COLUMNS = "id BIGINT, v INT, s STRING";
  private static final Row[] LAKE = {row(1L, 10, "a"), row(2L, 20, "b")};
  private static final Row[] TAIL = {row(3L, 30, "c"), row(4L, 40, "d")};

  @ParameterizedTest(name = "{0} table, system columns: {1}")
  @CsvSource({"log, true", "log, false", "primary-key, true", "primary-key, false"})
  void lakeWrittenByOthers(String kind, boolean systemColumns) throws Exception {
    TestTable table = create("foreign", spec(kind));
    table.apply(put(LAKE));
    ForeignLake.write(environment(), table, List.of(LAKE), systemColumns);
    table.apply(put(TAIL));

    assertOnlyUserColumns(table);
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "primary-key"})
  void lakeWrittenByOurRounds(String kind) {
    TestTable table = create("own", spec(kind));
    table.apply(put(LAKE));
    table.tier();
    table.apply(put(TAIL));

    assertOnlyUserColumns(table);
  }

  private void assertOnlyUserColumns(TestTable table) {
    assertRows(
        table,
        "SELECT * FROM {t}",
        row(1L, 10, "a"),
        row(2L, 20, "b"),
        row(3L, 30, "c"),
        row(4L, 40, "d"));
    assertRows(table, "SELECT count(*) FROM {t}", row(4L));
    assertRows(table, "SELECT id FROM {t} WHERE s = 'b' OR s = 'c'", row(2L), row(3L));
    assertRows(EntryPoint.LAKE_ONLY, table, "SELECT * FROM {t}", LAKE);
    assertThat(table.load().columns()).containsExactly("id", "v", "s");
    assertThat(sql("DESCRIBE " + table.sqlName()).collectAsList())
        .extracting(described -> described.getString(0))
        .containsExactly("id", "v", "s");

    TestTable twin = create("twin", TableSpec.log(COLUMNS));
    sql("INSERT INTO " + twin.sqlName() + " SELECT * FROM " + table.sqlName());
    assertRows(
        twin,
        "SELECT * FROM {t}",
        row(1L, 10, "a"),
        row(2L, 20, "b"),
        row(3L, 30, "c"),
        row(4L, 40, "d"));
  }

  @ParameterizedTest(name = "{0} table, system columns: {1}")
  @CsvSource({"log, true", "primary-key, true", "log, false"})
  void columnAddedAfterTheLakeWasWrittenByOthers(String kind, boolean systemColumns)
      throws Exception {
    TestTable table = create("foreign_added", spec(kind));
    table.apply(put(LAKE));
    ForeignLake.write(environment(), table, List.of(LAKE), systemColumns);
    table.addColumn("n", "BIGINT");
    table.apply(put(row(3L, 30, "c", 300L)));

    assertAddedColumn(table);
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "primary-key"})
  void columnAddedAfterARound(String kind) {
    TestTable table = create("own_added", spec(kind));
    table.apply(put(LAKE));
    table.tier();
    table.addColumn("n", "BIGINT");
    table.apply(put(row(3L, 30, "c", 300L)));
    assertAddedColumn(table);

    table.tier();
    assertAddedColumn(table);
  }

  private void assertAddedColumn(TestTable table) {
    assertRows(
        table,
        "SELECT * FROM {t}",
        row(1L, 10, "a", null),
        row(2L, 20, "b", null),
        row(3L, 30, "c", 300L));
    assertRows(table, "SELECT n, id FROM {t} WHERE n IS NULL", row(null, 1L), row(null, 2L));
    assertRows(table, "SELECT s FROM {t} WHERE n = 300", row("c"));
    assertRows(table, "SELECT count(n), count(*) FROM {t}", row(1L, 3L));
  }

  @ParameterizedTest
  @ValueSource(strings = {"__bucket", "__offset", "__timestamp", "_hoodie_record_key"})
  void reservedNames(String name) {
    String table = uniqueName("reserved");

    assertThatThrownBy(
            () ->
                sql(
                    "CREATE TABLE lake.%s.%s (id BIGINT, `%s` BIGINT)"
                        .formatted(database(), table, name)))
        .hasMessageContaining("LAKESTREAM_INVALID_TABLE_DEFINITION")
        .hasMessageContaining(name);
  }

  @Test
  void namesThatOnlyLookReserved() {
    TestTable table = create("close", TableSpec.log("id BIGINT, bucket INT, _offset BIGINT"));
    table.apply(put(row(1L, 2, 3L)));
    table.tier();
    table.apply(put(row(4L, 5, 6L)));

    assertRows(table, "SELECT _offset, bucket FROM {t}", row(3L, 2), row(6L, 5));
  }

  private static TableSpec spec(String kind) {
    return kind.equals("log") ? TableSpec.log(COLUMNS) : TableSpec.keyed(COLUMNS, "id");
  }
}
