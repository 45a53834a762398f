package io.lakestream.spark.it.hostile;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.harness.Answer;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same rows under the session settings that change how Spark names columns, computes and shows
 * times: each answer is what plain Spark says over the same rows under the same settings.
 */
class SessionSettingsTest extends IntegrationTest {
  private static final List<Row> BASE =
      List.of(
          row(1, "a", LocalDate.of(2024, 2, 29), time(1), ltz(1), new BigDecimal("1.25")),
          row(2, null, LocalDate.of(1582, 10, 4), time(2), ltz(2), new BigDecimal("-99.99")),
          row(3, "c", null, null, null, null));
  private static final List<Row> TAIL =
      List.of(
          row(2, "B", LocalDate.of(1, 1, 1), time(3), ltz(3), new BigDecimal("0.01")),
          row(4, "d", LocalDate.of(9999, 12, 31), time(4), ltz(4), new BigDecimal("99.99")));

  private static final List<String> QUERIES =
      List.of(
          "SELECT * FROM {t}",
          "SELECT id, Name FROM {t} WHERE Name > 'A' OR Name IS NULL",
          "SELECT id FROM {t} WHERE d = DATE '1582-10-04' OR d < DATE '0002-01-01'",
          "SELECT CAST(wall AS STRING), CAST(ltz AS STRING), hour(ltz), date(ltz) FROM {t}",
          "SELECT id FROM {t} WHERE ltz >= TIMESTAMP '2024-03-10 02:30:00'",
          "SELECT d, count(*), max(ltz), sum(amount) FROM {t} GROUP BY d",
          "SELECT try_add(id, 2147483647), id % 2 = 0 FROM {t}");

  private TestTable keyed;
  private TestTable log;

  private static LocalDateTime time(int hour) {
    return LocalDateTime.of(2024, 3, 10, hour, 30, 0, 123_456_000);
  }

  private static Instant ltz(int hour) {
    return Instant.parse("2024-03-10T0" + hour + ":59:59.999999Z");
  }

  @BeforeAll
  void fillTables() {
    String columns =
        "id INT, Name STRING, d DATE, wall TIMESTAMP(6), ltz TIMESTAMP_LTZ(6), amount DECIMAL(4, 2)";
    keyed = create("keyed", TableSpec.keyed(columns, "id"));
    log = create("log", TableSpec.log(columns));
    for (TestTable table : List.of(keyed, log)) {
      table.apply(put(BASE));
      table.tier();
      if (table == keyed) {
        table.compact();
      }
      table.apply(put(TAIL));
    }
  }

  /** Each two values of two settings meet in one of these. */
  static Stream<Map<String, String>> settings() {
    return Stream.of(
        settings("UTC", false, false, false),
        settings("UTC", true, true, true),
        settings("America/New_York", true, false, true),
        settings("America/New_York", false, true, false),
        settings("Asia/Kathmandu", true, true, false),
        settings("Asia/Kathmandu", false, false, true));
  }

  private static Map<String, String> settings(
      String zone, boolean caseSensitive, boolean ansi, boolean java8Times) {
    return Map.of(
        "spark.sql.session.timeZone", zone,
        "spark.sql.caseSensitive", Boolean.toString(caseSensitive),
        "spark.sql.ansi.enabled", Boolean.toString(ansi),
        "spark.sql.datetime.java8API.enabled", Boolean.toString(java8Times));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void answersAreThoseOfPlainSpark(Map<String, String> settings) throws Exception {
    Map<TestTable, List<Row>> models =
        Map.of(
            log, Stream.concat(BASE.stream(), TAIL.stream()).toList(),
            keyed, List.of(BASE.get(0), TAIL.get(0), BASE.get(2), TAIL.get(1)));
    for (Map.Entry<TestTable, List<Row>> model : models.entrySet()) {
      TestTable table = model.getKey();
      // Rows are given as values of the java.time types, which this setting lets in.
      SparkSession spark = environment().spark();
      StructType schema = spark.table(table.sqlName()).schema();
      spark.createDataFrame(model.getValue(), schema).createOrReplaceTempView("expected_rows");
      withSettings(settings, () -> QUERIES.forEach(query -> compare(table, query)));
    }
  }

  private void compare(TestTable table, String query) {
    boolean sensitive = environment().spark().conf().get("spark.sql.caseSensitive").equals("true");
    String spelt = sensitive ? query : query.replace("Name", "nAME").replace("amount", "AMOUNT");
    Answer expected = Answer.of(sql(spelt.replace("{t}", "expected_rows")));
    for (EntryPoint entryPoint : List.of(EntryPoint.CATALOG, EntryPoint.FORMAT)) {
      Answer actual = table.query(entryPoint, spelt);
      assertThat(actual.rows())
          .as("%s of %s: %s", entryPoint, table.path(), spelt)
          .containsExactlyInAnyOrderElementsOf(expected.rows());
      assertThat(actual.types()).isEqualTo(expected.types());
    }
  }
}
