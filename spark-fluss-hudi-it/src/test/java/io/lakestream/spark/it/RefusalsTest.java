package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import org.apache.spark.sql.functions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that are not offered: refused with a code, and nothing is changed. */
class RefusalsTest extends IntegrationTest {
  private TestTable log;
  private TestTable keyed;

  @BeforeAll
  void createTables() {
    log = create("log", TableSpec.log("id INT, v INT"));
    log.apply(put(row(1, 10), row(2, 20)));
    keyed = create("keyed", TableSpec.keyed("id INT, v INT", "id"));
    keyed.apply(put(row(1, 10), row(2, 20)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM {t} WHERE id = 1",
        "DELETE FROM {t} WHERE id IN (SELECT id FROM {t})",
        "DELETE FROM {t}",
        "TRUNCATE TABLE {t}",
        "UPDATE {t} SET v = 0 WHERE id = 1",
        "MERGE INTO {t} USING (SELECT 1 AS id, 5 AS v) s ON {t}.id = s.id"
            + " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT *",
        "INSERT OVERWRITE {t} VALUES (9, 9)"
      })
  void statements(String statement) {
    for (TestTable table : new TestTable[] {log, keyed}) {
      String text =
          statement
              .replace("ON {t}.", "ON t.")
              .replace("MERGE INTO {t}", "MERGE INTO " + table.sqlName() + " t")
              .replace("{t}", table.sqlName());
      assertRefused(table, () -> sql(text));
    }
  }

  @Test
  void dataFrameOverwrites() {
    assertRefused(
        log,
        () -> sql("SELECT 9 AS id, 9 AS v").writeTo(log.sqlName()).overwrite(functions.lit(true)));
    assertRefused(
        keyed, () -> sql("SELECT 9 AS id, 9 AS v").writeTo(keyed.sqlName()).overwritePartitions());
  }

  @Test
  void streamingReads() {
    assertRefused(
        log,
        () ->
            environment()
                .spark()
                .readStream()
                .table(log.sqlName())
                .writeStream()
                .format("noop")
                .start()
                .awaitTermination());
    assertRefused(
        log,
        () ->
            environment()
                .spark()
                .readStream()
                .format("lakestream")
                .option("bootstrap.servers", environment().bootstrapServers())
                .option("hudi.catalog.path", environment().lake().toString())
                .load(log.path())
                .writeStream()
                .format("noop")
                .start()
                .awaitTermination());
  }

  private void assertRefused(TestTable table, ThrowingCallable statement) {
    assertThatThrownBy(statement)
        .hasMessageContaining("LAKESTREAM_UNSUPPORTED_OPERATION")
        .hasMessageContaining(table.path());
    assertRows(table, "SELECT * FROM {t}", row(1, 10), row(2, 20));
  }

  @Test
  void writesToTheLakeAlone() {
    assertThatThrownBy(() -> sql("INSERT INTO " + log.lakeOnlyName() + " VALUES (9, 9)"))
        .hasMessageContaining(log.flussPath().getTableName());
    assertRows(log, "SELECT * FROM {t}", row(1, 10), row(2, 20));
  }
}
