package io.lakestream.spark.it.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.harness.Answer;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.Execution;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The 22 queries of TPC-H give on union tables, as primary-key tables with updates and deletes and
 * as log tables, exactly what they give on plain Parquet files. Amounts are decimals, so sums do
 * not depend on the order of rows.
 */
class TpchTest extends IntegrationTest {
  private final Map<TpchTable, TestTable> keyed = new EnumMap<>(TpchTable.class);
  private final Map<TpchTable, TestTable> log = new EnumMap<>(TpchTable.class);
  private Path parquet;

  @BeforeAll
  void fillTables() throws IOException {
    parquet = environment().scratch("tpch");
    TpchRows.generate().forEach(this::fill);
  }

  private void fill(TpchTable table, List<Row> rows) {
    environment()
        .spark()
        .createDataFrame(rows, table.log().structType())
        .coalesce(1)
        .write()
        .parquet(file(table));
    keyed.put(table, fill(table, "keyed", table.keyed(), TpchHistory.keyed(table, rows)));
    log.put(table, fill(table, "log", table.log(), TpchHistory.log(rows)));
  }

  private TestTable fill(TpchTable table, String kind, TableSpec spec, TpchHistory history) {
    TestTable filled = create(kind + "_" + name(table), spec);
    filled.apply(history.base());
    filled.tierOnce();
    if (!spec.primaryKey().isEmpty()) {
      filled.compact();
    }
    filled.apply(history.lake());
    filled.tierOnce();
    filled.apply(history.tail());
    return filled;
  }

  static IntStream queries() {
    return IntStream.rangeClosed(1, 22);
  }

  @ParameterizedTest
  @MethodSource("queries")
  void answersOfPlainParquet(int query) throws Exception {
    String text = text(query);
    Answer expected = Answer.of(sql(fillIn(text, table -> "parquet.`" + file(table) + "`")));
    assertThat(expected.rows()).isNotEmpty().noneMatch(row -> row.contains(null));
    Execution execution = Execution.PAIRWISE.get(query % Execution.PAIRWISE.size());

    assertAnswer(keyed, text, execution, expected);
    assertAnswer(log, text, execution.opposite(), expected);
  }

  private void assertAnswer(
      Map<TpchTable, TestTable> tables, String text, Execution execution, Answer expected)
      throws Exception {
    EntryPoint entryPoint = execution.entryPoint();
    Answer actual =
        execution.call(
            environment().spark(),
            () -> Answer.of(sql(fillIn(text, table -> tables.get(table).relation(entryPoint)))));
    assertThat(actual).as("%s", execution).isEqualTo(expected);
  }

  private static String fillIn(String text, Function<TpchTable, String> relations) {
    String result = text;
    for (TpchTable table : TpchTable.values()) {
      String placeholder = "{" + name(table) + "}";
      if (result.contains(placeholder)) {
        result = result.replace(placeholder, relations.apply(table));
      }
    }
    return result;
  }

  private static String text(int query) throws IOException {
    try (InputStream file =
        TpchTest.class.getResourceAsStream("/tpch/q%02d.sql".formatted(query))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String file(TpchTable table) {
    return parquet.resolve(name(table)).toString();
  }

  private static String name(TpchTable table) {
    return table.name().toLowerCase(Locale.ROOT);
  }
}
