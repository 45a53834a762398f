package io.lakestream.spark.it.interop;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.harness.Answer;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A round that cuts the buckets of a log table into several file groups each, read by all. */
class CutRangesTest extends IntegrationTest {
  private static final int ROWS = 40;
  private static final int BUCKETS = 2;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void unionLakeAndHudiHaveTheRows(boolean partitioned) throws Exception {
    TableSpec spec = TableSpec.log("id INT, v STRING, dt STRING").buckets(BUCKETS, "id");
    TestTable table = create("cut", partitioned ? spec.partitionedBy("dt") : spec);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(row(i / 2, "v" + i % 5, i % 4 == 0 ? "a" : "b"));
    }
    table.apply(put(rows));
    String[] instant = new String[1];
    withSettings(
        Map.of("spark.sql.lakestream.tiering.max-offsets-per-task", "3"),
        () -> instant[0] = table.tierOnce());
    assertThat(groupsByFolder(table))
        .hasSize(partitioned ? 2 : 1)
        .allSatisfy(
            (folder, groups) ->
                assertThat(groups).as(folder).isGreaterThan(partitioned ? BUCKETS : 13));

    Row tail = row(100, "tail", "a");
    table.apply(put(tail));
    List<Row> all = new ArrayList<>(rows);
    all.add(tail);
    for (String where : List.of("true", "id = 7", "v = 'v3'", "dt = 'a'", "dt = 'b' and id > 9")) {
      String query = "SELECT * FROM {t} WHERE " + where;
      List<List<Object>> inLake = expected(rows, where);
      assertThat(table.query(EntryPoint.CATALOG, query).rows())
          .as("union, %s", where)
          .containsExactlyInAnyOrderElementsOf(expected(all, where));
      assertThat(table.query(EntryPoint.LAKE_ONLY, query).rows())
          .as("lake only, %s", where)
          .containsExactlyInAnyOrderElementsOf(inLake);
      for (boolean metadataTable : new boolean[] {true, false}) {
        assertThat(Answer.rows(hudi(table, metadataTable).where(where).collectAsList()))
            .as("Hudi, metadata table %s, %s", metadataTable, where)
            .containsExactlyInAnyOrderElementsOf(inLake);
      }
    }
    table.tierOnce();
    assertThat(
            table
                .query(EntryPoint.CATALOG, "SELECT * FROM {t} VERSION AS OF '" + instant[0] + "'")
                .rows())
        .containsExactlyInAnyOrderElementsOf(expected(rows, "true"));
  }

  private List<List<Object>> expected(List<Row> rows, String where) {
    return Answer.rows(
        environment().spark().createDataFrame(rows, columns()).where(where).collectAsList());
  }

  private static StructType columns() {
    return StructType.fromDDL("id INT, v STRING, dt STRING");
  }

  private Dataset<Row> hudi(TestTable table, boolean metadataTable) {
    return environment()
        .spark()
        .read()
        .format("hudi")
        .option("hoodie.metadata.enable", metadataTable)
        .load(table.lakeDirectory().toString())
        .select("id", "v", "dt");
  }

  /** How many file groups each folder of the lake has. */
  private static Map<String, Long> groupsByFolder(TestTable table) throws IOException {
    try (Stream<Path> files = Files.walk(table.lakeDirectory())) {
      return files
          .filter(file -> file.getFileName().toString().matches("\\d{8}-.*\\.parquet"))
          .collect(
              Collectors.groupingBy(
                  file -> file.getParent().toString(),
                  Collectors.mapping(
                      file -> file.getFileName().toString().split("_")[0],
                      Collectors.collectingAndThen(
                          Collectors.toSet(), groups -> (long) groups.size()))));
    }
  }
}
