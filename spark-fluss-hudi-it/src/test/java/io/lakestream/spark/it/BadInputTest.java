package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.io.FileUtils;
import org.apache.fluss.metadata.DatabaseDescriptor;
import org.apache.spark.sql.DataFrameReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong input: a coded error that names what is wrong, never a hang or an empty answer. */
@Timeout(120)
class BadInputTest extends IntegrationTest {
  /** A port that nothing listens on. */
  private static final String NOBODY = "127.0.0.1:1";

  @Test
  void unknownTable() {
    assertThatThrownBy(() -> environment().format().load(database() + ".nothing").collectAsList())
        .hasMessageContaining("LAKESTREAM_TABLE_NOT_FOUND")
        .hasMessageContaining(database() + ".nothing");
    assertThatThrownBy(() -> sql("SELECT * FROM lake." + database() + ".nothing"))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND")
        .hasMessageContaining("nothing");
    assertThatThrownBy(() -> sql("SELECT * FROM lake.no_such_database.nothing"))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
    assertThatThrownBy(() -> sql("SELECT * FROM lake." + database() + ".`nothing$lake`"))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
  }

  @Test
  void clusterThatDoesNotAnswer() {
    assertThatThrownBy(
            () ->
                environment()
                    .format()
                    .option("bootstrap.servers", NOBODY)
                    .load("db.t")
                    .collectAsList())
        .hasMessageContaining("LAKESTREAM_CLUSTER_UNREACHABLE")
        .hasMessageContaining(NOBODY);
  }

  @Test
  void catalogWhoseClusterDoesNotAnswer() {
    environment()
        .spark()
        .conf()
        .set("spark.sql.catalog.nobody", "io.lakestream.spark.catalog.LakestreamCatalog");
    environment().spark().conf().set("spark.sql.catalog.nobody.bootstrap.servers", NOBODY);

    assertThatThrownBy(() -> sql("SELECT * FROM nobody.db.t").collectAsList())
        .hasMessageContaining("LAKESTREAM_CLUSTER_UNREACHABLE")
        .hasMessageContaining(NOBODY);
  }

  @ParameterizedTest
  @CsvSource({
    "snapshot.pim, x, snapshot.pin",
    "failOnDatalos, true, failOnDataLoss",
    "tail.max.row, 5, tail.max.rows"
  })
  void unknownOption(String option, String value, String nearest) {
    TestTable table = create("t", TableSpec.log("id INT"));

    assertThatThrownBy(
            () -> environment().format().option(option, value).load(table.path()).collectAsList())
        .hasMessageContaining("LAKESTREAM_INVALID_OPTION")
        .hasMessageContaining(nearest)
        .message()
        .containsIgnoringCase(option);
  }

  @ParameterizedTest
  @CsvSource({"failOnDataLoss, maybe", "tail.max.rows, -1", "tail.max.rows, many"})
  void wrongOptionValue(String option, String value) {
    TestTable table = create("t", TableSpec.log("id INT"));

    assertThatThrownBy(
            () -> environment().format().option(option, value).load(table.path()).collectAsList())
        .hasMessageContaining("LAKESTREAM_INVALID_OPTION")
        .hasMessageContaining(value)
        .message()
        .containsIgnoringCase(option);
  }

  @Test
  void missingOptions() {
    assertThatThrownBy(() -> environment().spark().read().format("lakestream").load("db.t"))
        .hasMessageContaining("LAKESTREAM_INVALID_OPTION")
        .hasMessageContaining("bootstrap.servers");
    assertThatThrownBy(() -> environment().format().load())
        .hasMessageContaining("LAKESTREAM_INVALID_OPTION")
        .hasMessageContaining("table");
    assertThatThrownBy(() -> environment().format().load("no_dot"))
        .hasMessageContaining("LAKESTREAM_INVALID_OPTION")
        .hasMessageContaining("no_dot");
  }

  @Test
  void twoTablesNamed() {
    TestTable table = create("t", TableSpec.log("id INT"));
    table.apply(put(row(1)));

    assertThatThrownBy(
            () ->
                environment()
                    .format()
                    .option("table", database() + ".other")
                    .load(table.path())
                    .collectAsList())
        .hasMessageContaining("LAKESTREAM_INVALID_OPTION")
        .hasMessageContaining("table");
  }

  @Test
  void lakeThatIsMissing() throws IOException {
    TestTable table = tieredTable("missing");
    Path elsewhere = environment().scratch("missing-lake");

    assertThatThrownBy(() -> lakeAt(elsewhere).load(table.path()).collectAsList())
        .hasMessageContaining("LAKESTREAM_LAKE_NOT_FOUND")
        .hasMessageContaining(table.path())
        .hasMessageContaining(elsewhere.toString());
  }

  @Test
  void lakePathThatIsNotHudi() throws IOException {
    TestTable table = tieredTable("no_hudi");
    Path elsewhere = environment().scratch("not-hudi");
    Path directory = Files.createDirectories(lakePath(elsewhere, table));
    Files.writeString(directory.resolve("part-0.parquet"), "not even Parquet");

    assertThatThrownBy(() -> lakeAt(elsewhere).load(table.path()).collectAsList())
        .hasMessageContaining("LAKESTREAM_LAKE_NOT_FOUND")
        .hasMessageContaining(table.path())
        .hasMessageContaining(directory.toString());
  }

  @Test
  void lakeOfAnotherTable() throws IOException {
    TestTable table = tieredTable("mine");
    TestTable other = tieredTable("theirs");
    Path elsewhere = environment().scratch("other-lake");
    FileUtils.copyDirectory(other.lakeDirectory().toFile(), lakePath(elsewhere, table).toFile());

    assertThatThrownBy(() -> lakeAt(elsewhere).load(table.path()).collectAsList())
        .hasMessageContaining("LAKESTREAM_LAKE_MISMATCH")
        .hasMessageContaining(table.path());
  }

  @Test
  void lakeWhoseColumnsDisagree() throws Exception {
    TestTable table = tieredTable("disagrees");
    String otherDatabase = database() + "_other";
    environment().admin().createDatabase(otherDatabase, DatabaseDescriptor.EMPTY, true).get();
    TestTable namesake =
        TestTable.existing(environment(), otherDatabase, table.flussPath().getTableName());
    sql("CREATE TABLE " + namesake.sqlName() + " (id STRING, v BOOLEAN, w INT)");
    namesake.apply(put(row("x", true, 1)));
    namesake.tier();
    Path elsewhere = environment().scratch("disagreeing-lake");
    FileUtils.copyDirectory(namesake.lakeDirectory().toFile(), lakePath(elsewhere, table).toFile());

    assertThatThrownBy(() -> lakeAt(elsewhere).load(table.path()).collectAsList())
        .hasMessageFindingMatch("LAKESTREAM_(LAKE_MISMATCH|SCHEMA_MISMATCH)")
        .hasMessageContaining(table.path());

    environment().admin().dropDatabase(otherDatabase, true, true).get();
  }

  private TestTable tieredTable(String name) {
    TestTable table = create(name, TableSpec.log("id INT, v INT"));
    table.apply(put(row(1, 10)));
    table.tier();
    assertRows(table, "SELECT * FROM {t}", row(1, 10));
    return table;
  }

  private DataFrameReader lakeAt(Path catalogPath) {
    return environment().format().option("hudi.catalog.path", catalogPath.toString());
  }

  private static Path lakePath(Path catalogPath, TestTable table) {
    return catalogPath
        .resolve(table.flussPath().getDatabaseName())
        .resolve(table.flussPath().getTableName());
  }
}
