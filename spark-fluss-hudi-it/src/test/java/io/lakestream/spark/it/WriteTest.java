package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Appends to log tables and upserts into primary-key tables by Spark. */
class WriteTest extends IntegrationTest {

  @Test
  void insertAppendsToALogTable() {
    TestTable table = create("log", TableSpec.log("id INT, s STRING").buckets(2));
    sql("INSERT INTO " + table.sqlName() + " VALUES (1, 'a'), (1, 'a'), (2, NULL)");
    table.tier();
    sql("INSERT INTO " + table.sqlName() + " VALUES (1, 'a')");

    assertRows(table, "SELECT * FROM {t}", row(1, "a"), row(1, "a"), row(1, "a"), row(2, null));
  }

  @Test
  void insertUpsertsIntoAPrimaryKeyTable() {
    TestTable table =
        create(
            "keyed",
            TableSpec.keyed("id INT, p STRING, v INT", "id", "p").partitionedBy("p").buckets(2));
    sql("INSERT INTO " + table.sqlName() + " VALUES (1, 'x', 10), (2, 'x', 20), (1, 'y', 30)");
    table.tier();
    sql("INSERT INTO " + table.sqlName() + " VALUES (1, 'x', 11), (3, 'z', 40)");

    assertRows(
        table,
        "SELECT * FROM {t}",
        row(1, "x", 11),
        row(2, "x", 20),
        row(1, "y", 30),
        row(3, "z", 40));
  }

  @Test
  void dataFrameAppends() throws Exception {
    TestTable table = create("df", TableSpec.log("id BIGINT, v BIGINT").buckets(2));

    sql("SELECT id, id * 2 AS v FROM range(0, 1000, 1, 4)").writeTo(table.sqlName()).append();
    // Columns are matched by name.
    sql("SELECT 7 AS v, 1000L AS id").writeTo(table.sqlName()).append();

    assertRows(
        table,
        "SELECT count(*), count(DISTINCT id), sum(v) FROM {t}",
        row(1_001L, 1_001L, 999_007L));
  }

  @Test
  void columnListMayBeReorderedAndDefaultsAreNull() {
    TestTable keyed = create("keyed", TableSpec.keyed("id INT, a STRING, b STRING", "id"));
    keyed.apply(put(row(1, "a1", "b1"), row(2, "a2", "b2")));
    sql("INSERT INTO " + keyed.sqlName() + " (b, a, id) VALUES ('new', DEFAULT, 1)");
    assertRows(keyed, "SELECT * FROM {t}", row(1, null, "new"), row(2, "a2", "b2"));
  }

  /** Spark 3.5 fills in defaults for tables of its own only. */
  @Test
  void columnListMustNameEveryColumn() {
    TestTable keyed = create("keyed", TableSpec.keyed("id INT, a STRING, b STRING", "id"));
    keyed.apply(put(row(1, "a1", "b1")));
    assertThatThrownBy(() -> sql("INSERT INTO " + keyed.sqlName() + " (b, id) VALUES ('new', 1)"))
        .hasMessageContaining("Cannot find data for the output column `a`");
    assertRows(keyed, "SELECT * FROM {t}", row(1, "a1", "b1"));
  }

  @Test
  void writtenValuesComeBack() throws Exception {
    TestTable table =
        create(
            "types",
            TableSpec.log(
                "bo BOOLEAN, ti TINYINT, sm SMALLINT, i INT, bi BIGINT, f FLOAT, d DOUBLE,"
                    + " de DECIMAL(20,5), c CHAR(5), s STRING, by BYTES, da DATE,"
                    + " n TIMESTAMP(6), z TIMESTAMP_LTZ(6), a ARRAY<STRING>, m MAP<STRING, INT>,"
                    + " r ROW<x INT, y ROW<z STRING>>"));
    Row full =
        row(
            true,
            (byte) -1,
            (short) -2,
            -3,
            -4L,
            Float.NaN,
            -0.0,
            new BigDecimal("-123456789012345.12345"),
            "ab",
            "text",
            new byte[] {0, -1},
            LocalDate.of(1950, 1, 1),
            LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000),
            Instant.parse("1950-01-01T00:00:00.000001Z"),
            Arrays.asList("x", null),
            Map.of("k", 1),
            row(1, row("deep")));
    Row empty = row(new Object[17]);
    StructType schema = table.load().schema();

    environment()
        .spark()
        .createDataFrame(List.of(full, empty), schema)
        .writeTo(table.sqlName())
        .append();

    assertRows(table, "SELECT * FROM {t}", full, empty);
    table.tier();
    assertRows(table, "SELECT * FROM {t}", full, empty);
  }

  @Test
  void nullInAColumnThatForbidsIt() {
    TestTable table = create("strict", TableSpec.keyed("id INT NOT NULL, v INT", "id"));

    assertThatThrownBy(() -> sql("INSERT INTO " + table.sqlName() + " VALUES (NULL, 1)"))
        .hasMessageContaining("id");
    assertRows(table, "SELECT count(*) FROM {t}", row(0L));
  }

  @Test
  void tooManyColumns() {
    TestTable table = create("narrow", TableSpec.log("id INT"));

    assertThatThrownBy(
            () ->
                environment()
                    .spark()
                    .createDataFrame(
                        List.of(row(1, 2)),
                        new StructType()
                            .add("id", DataTypes.IntegerType)
                            .add("extra", DataTypes.IntegerType))
                    .writeTo(table.sqlName())
                    .append())
        .hasMessageContaining("extra");
    assertRows(table, "SELECT count(*) FROM {t}", row(0L));
  }

  @Test
  void speculationIsRefusedForAppends() throws Exception {
    TestTable log = create("log", TableSpec.log("id INT"));
    TestTable keyed = create("keyed", TableSpec.keyed("id INT", "id"));
    withSpeculation(
        () -> {
          assertThatThrownBy(() -> sql("INSERT INTO " + log.sqlName() + " VALUES (1)"))
              .hasMessageContaining("LAKESTREAM_SPECULATIVE_WRITE")
              .hasMessageContaining(log.path())
              .hasMessageContaining("write.allow-speculation");
          sql("SELECT 2 AS id")
              .writeTo(log.sqlName())
              .option("write.allow-speculation", "true")
              .append();
          sql("INSERT INTO " + keyed.sqlName() + " VALUES (3)");
        });

    assertRows(log, "SELECT * FROM {t}", row(2));
    assertRows(keyed, "SELECT * FROM {t}", row(3));
  }

  /**
   * Sets what a user sets before a session starts; tasks of this local session do not speculate.
   */
  private void withSpeculation(ThrowingRunnable body) throws Exception {
    SparkConf live = environment().spark().sparkContext().conf();
    live.set("spark.speculation", "true");
    try {
      withSettings(
          Map.of("spark.sql.legacy.setCommandRejectsSparkCoreConfs", "false"),
          () -> withSettings(Map.of("spark.speculation", "true"), body));
    } finally {
      live.set("spark.speculation", "false");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "primary-key"})
  void tableThatIsItsOwnSource(String kind) {
    String columns = "id INT, v INT";
    TestTable table =
        create(
            "self", kind.equals("log") ? TableSpec.log(columns) : TableSpec.keyed(columns, "id"));
    table.apply(put(row(1, 1), row(2, 2)));
    sql("INSERT INTO %1$s SELECT id + 2, v + 10 FROM %1$s".formatted(table.sqlName()));

    assertRows(table, "SELECT * FROM {t}", row(1, 1), row(2, 2), row(3, 11), row(4, 12));
  }
}
