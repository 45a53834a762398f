package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code ALTER TABLE} does, and what it refuses with the valid choice. */
class AlterTableTest extends IntegrationTest {
  private static final TableSpec SPEC = TableSpec.log("id INT, st ROW<a INT>, s STRING");

  @Test
  void severalColumnsWithCommentsAtOnce() {
    TestTable table = create("several", SPEC);

    sql(
        "ALTER TABLE %s ADD COLUMNS (n BIGINT COMMENT 'a number', c CHAR(3), v VARCHAR(9))"
            .formatted(table.sqlName()));

    assertThat(table.info().getRowType().getFieldNames())
        .containsExactly("id", "st", "s", "n", "c", "v");
    assertThat(table.info().getRowType().getTypeAt(4).asSummaryString()).isEqualTo("CHAR(3)");
    assertThat(sql("DESCRIBE " + table.sqlName()).collectAsList())
        .contains(row("n", "bigint", "a number"));
    table.apply(put(row(1, row(2), "x", 3L, "abc", "vc")));
    assertRows(table, "SELECT n, c, v, st.a FROM {t}", row(3L, "abc", "vc", 2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ADD COLUMN n INT NOT NULL | UNSUPPORTED_OPERATION | NOT NULL",
        "ADD COLUMN n INT FIRST | UNSUPPORTED_OPERATION | FIRST",
        "ADD COLUMN n INT AFTER id | UNSUPPORTED_OPERATION | after the last one",
        "ADD COLUMN st.b INT | UNSUPPORTED_OPERATION | st.b",
        "ADD COLUMN __offset BIGINT | INVALID_TABLE_DEFINITION | __offset",
        "DROP COLUMN s | UNSUPPORTED_OPERATION | DeleteColumn",
        "RENAME COLUMN s TO t | UNSUPPORTED_OPERATION | RenameColumn",
        "ALTER COLUMN id TYPE BIGINT | UNSUPPORTED_OPERATION | UpdateColumnType",
        "ALTER COLUMN s COMMENT 'x' | UNSUPPORTED_OPERATION | UpdateColumnComment",
        "SET LOCATION '/elsewhere' | UNSUPPORTED_OPERATION | location",
        "SET TBLPROPERTIES ('bucket.num'='9') | UNSUPPORTED_OPERATION | bucket.num",
        "SET TBLPROPERTIES ('primary.key'='id') | UNSUPPORTED_OPERATION | primary.key",
        "SET TBLPROPERTIES ('table.log.ttl'='1d') | INVALID_TABLE_DEFINITION | table.log.ttl",
        "SET TBLPROPERTIES ('lakestream.btch-size'='9') | INVALID_OPTION | batch-size"
      })
  void refusals(String change, String code, String text) {
    TestTable table = create("refused", SPEC);
    table.apply(put(row(1, row(2), "x")));

    assertThatThrownBy(() -> sql("ALTER TABLE " + table.sqlName() + " " + change))
        .hasMessageContaining("LAKESTREAM_" + code)
        .hasMessageContaining(table.path())
        .hasMessageContaining(text);

    assertThat(table.info().getSchemaId()).isEqualTo(1);
    assertThat(table.info().getNumBuckets()).isEqualTo(1);
    assertRows(table, "SELECT * FROM {t}", row(1, row(2), "x"));
  }

  @Test
  void columnThatIsThereAlready() {
    TestTable table = create("twice", SPEC);

    assertThatThrownBy(() -> sql("ALTER TABLE " + table.sqlName() + " ADD COLUMN S INT"))
        .hasMessageContaining("ALREADY_EXISTS");
    assertThat(table.info().getSchemaId()).isEqualTo(1);
  }

  @Test
  void propertiesAreSetAndUnset() {
    TestTable table = create("properties", SPEC);

    sql(
        "ALTER TABLE %s SET TBLPROPERTIES ('team'='ads', 'lakestream.batch-size'='7')"
            .formatted(table.sqlName()));
    assertThat(table.info().getCustomProperties().toMap())
        .containsEntry("team", "ads")
        .containsEntry("lakestream.batch-size", "7");

    sql("ALTER TABLE " + table.sqlName() + " UNSET TBLPROPERTIES ('team')");
    assertThat(table.info().getCustomProperties().toMap())
        .doesNotContainKey("team")
        .containsEntry("lakestream.batch-size", "7");
  }

  @Test
  void propertiesOfTheLakeAreFixedOnceItIsThere() {
    TestTable table = create("fixed", SPEC);
    String change =
        "ALTER TABLE %s SET TBLPROPERTIES ('hudi.hoodie.datasource.write.recordkey.field'='s')"
            .formatted(table.sqlName());
    sql(change);
    table.apply(put(row(1, row(2), "x")));
    table.tier();

    assertThatThrownBy(() -> sql(change))
        .hasMessageContaining("LAKESTREAM_UNSUPPORTED_OPERATION")
        .hasMessageContaining("the lake was created with it");
    assertThat(Map.copyOf(table.info().getCustomProperties().toMap()))
        .containsEntry("hudi.hoodie.datasource.write.recordkey.field", "s");
  }

  @Test
  void theLakeAloneCannotBeAltered() {
    TestTable table = create("view", SPEC);

    assertThatThrownBy(() -> sql("ALTER TABLE " + table.lakeOnlyName() + " ADD COLUMN n INT"))
        .hasMessageContaining("LAKESTREAM_UNSUPPORTED_OPERATION");
    assertThat(table.info().getSchemaId()).isEqualTo(1);
  }
}
