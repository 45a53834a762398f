package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.harness.Answer;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.ScanMetrics;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables with many columns: the same rows in every way to run, and only wanted columns fetched. */
class WideTableTest extends IntegrationTest {
  /** More than Spark's whole-stage code generation takes by default. */
  private static final int WIDE = 120;

  private static final int WIDE_ROWS = 60;

  private static final int VERY_WIDE = 300;
  private static final int VERY_WIDE_ROWS = 8_000;

  /** 5 of 300 columns are a 60th of the values; fixed costs per batch and file take their share. */
  private static final int AT_LEAST_TIMES_LESS = 10;

  private static final String FIVE = "SELECT sum(c7), sum(c70), sum(c140), sum(c210), sum(c280)";
  private static final String ALL =
      IntStream.range(0, VERY_WIDE)
          .mapToObj(i -> "sum(c" + i + ")")
          .collect(Collectors.joining(", ", "SELECT ", ""));

  private TestTable log;
  private TestTable keyed;

  @BeforeAll
  void createWideTables() {
    log = create("wide_log", TableSpec.log(columns(WIDE)).buckets(2));
    keyed = create("wide_keyed", TableSpec.keyed(columns(WIDE), "c0").buckets(2));
    for (TestTable table : List.of(log, keyed)) {
      table.apply(put(rows(WIDE, 0, WIDE_ROWS / 2, 0)));
      table.tier();
      table.apply(put(rows(WIDE, WIDE_ROWS / 2, WIDE_ROWS, 0)));
    }
    keyed.apply(
        put(rows(WIDE, 0, 5, 1)), delete(rows(WIDE, 5, 8, 0)), delete(rows(WIDE, 40, 41, 0)));
  }

  @ParameterizedTest(name = "code generation: {0}, adaptive: {1}, batch of {2} rows")
  @CsvSource({
    "true, true, 4096",
    "true, false, 4096",
    "false, true, 4096",
    "false, false, 4096",
    "true, true, 7"
  })
  void everyWayToRun(boolean codegen, boolean adaptive, int batchSize) throws Exception {
    List<Row> expectedLog = rows(WIDE, 0, WIDE_ROWS, 0);
    List<Row> expectedKeyed = new ArrayList<>(rows(WIDE, 0, 5, 1));
    expectedKeyed.addAll(rows(WIDE, 8, 40, 0));
    expectedKeyed.addAll(rows(WIDE, 41, WIDE_ROWS, 0));
    withSettings(
        Map.of(
            "spark.sql.codegen.wholeStage", Boolean.toString(codegen),
            "spark.sql.adaptive.enabled", Boolean.toString(adaptive),
            "spark.sql.parquet.columnarReaderBatchSize", Integer.toString(batchSize)),
        () -> {
          assertReads(log, expectedLog);
          assertReads(keyed, expectedKeyed);
        });
  }

  private void assertReads(TestTable table, List<Row> expected) {
    for (EntryPoint entryPoint : List.of(EntryPoint.CATALOG, EntryPoint.FORMAT)) {
      assertThat(table.query(entryPoint, "SELECT * FROM {t}").rows())
          .as("%s of %s", entryPoint, table.path())
          .containsExactlyInAnyOrderElementsOf(Answer.rows(expected));
      assertThat(table.query(entryPoint, "SELECT * FROM {t} LIMIT 3").rows())
          .hasSize(3)
          .isSubsetOf(Answer.rows(expected));
      Row[] few =
          expected.stream()
              .filter(row -> row.getInt(119) % 2 == 0)
              .map(row -> row(row.get(119), row.get(3)))
              .toArray(Row[]::new);
      assertRows(entryPoint, table, "SELECT c119, c3 FROM {t} WHERE c119 % 2 = 0", few);
    }
  }

  @Test
  void fetchesOnlyWantedColumnsOfTheLog() {
    TestTable table = create("very_wide", TableSpec.log(columns(VERY_WIDE)));
    table.apply(put(rows(VERY_WIDE, 0, VERY_WIDE_ROWS, 0)));

    long five = metric(table, FIVE, ScanMetrics.LOG_BYTES_FETCHED);
    long all = metric(table, ALL, ScanMetrics.LOG_BYTES_FETCHED);

    assertThat(five).isPositive();
    assertThat(all)
        .as("all columns: %s bytes, 5 columns: %s bytes", all, five)
        .isGreaterThan(AT_LEAST_TIMES_LESS * five);
  }

  @Test
  void readsOnlyWantedColumnsOfTheLake() {
    TestTable table = create("very_wide", TableSpec.log(columns(VERY_WIDE)));
    table.apply(put(rows(VERY_WIDE, 0, VERY_WIDE_ROWS, 0)));
    table.tier();

    long five = metric(table, FIVE, ScanMetrics.LAKE_BYTES_READ);
    long all = metric(table, ALL, ScanMetrics.LAKE_BYTES_READ);

    assertThat(five).isPositive();
    assertThat(all)
        .as("all columns: %s bytes, 5 columns: %s bytes", all, five)
        .isGreaterThan(AT_LEAST_TIMES_LESS * five);
    assertThat(metric(table, FIVE, ScanMetrics.LOG_BYTES_FETCHED)).isZero();
  }

  private static long metric(TestTable table, String query, String metric) {
    return ScanMetrics.of(table.dataset(EntryPoint.CATALOG, query + " FROM {t}")).sum(metric);
  }

  private static String columns(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "c" + i + " INT")
        .collect(Collectors.joining(", "));
  }

  /** Rows whose first column counts from {@code first}, the others hard to compress. */
  private static List<Row> rows(int columns, int first, int end, int version) {
    List<Row> rows = new ArrayList<>();
    for (int id = first; id < end; id++) {
      Random random = new Random(31L * id + version);
      Object[] values = new Object[columns];
      values[0] = id;
      for (int i = 1; i < columns; i++) {
        values[i] = random.nextInt();
      }
      rows.add(row(values));
    }
    return rows;
  }
}
