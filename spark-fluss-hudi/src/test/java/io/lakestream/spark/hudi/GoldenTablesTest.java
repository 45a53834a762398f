package io.lakestream.spark.hudi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.lakestream.spark.hudi.GoldenTables.Golden;
import io.lakestream.spark.hudi.GoldenTables.Snapshot;
import io.lakestream.spark.lake.LakeTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every golden table, as of every instant, yields exactly the expected rows. */
class GoldenTablesTest {
  @TempDir static Path folder;

  @TestFactory
  List<DynamicTest> yieldsTheExpectedRows() throws Exception {
    Optional<Path> archive = GoldenTables.archive();
    if (archive.isEmpty()) {
      String reason =
          "golden tables are not at hand: set -Dlakestream.golden to their folder"
              + " or put it at shared/golden beside the checkout";
      System.out.println(reason);
      abort(reason);
    }
    GoldenTables tables = GoldenTables.unpack(archive.get(), folder);
    List<DynamicTest> tests = new ArrayList<>();
    for (Golden golden : GoldenTables.expected(archive.get())) {
      for (Snapshot snapshot : golden.snapshots()) {
        tests.add(
            DynamicTest.dynamicTest(
                golden.name() + " as of " + snapshot.instant().orElse("the newest instant"),
                () -> check(tables, golden, snapshot)));
      }
    }
    assertThat(tests).isNotEmpty();
    return tests;
  }

  private static void check(GoldenTables tables, Golden golden, Snapshot snapshot)
      throws IOException {
    LakeTable table = tables.open(golden);
    String instant = snapshot.instant().orElseGet(() -> table.latestInstant().orElseThrow());

    List<Map<String, Object>> rows = LakeRows.read(table, instant, golden.schema());

    assertThat(rows).containsExactlyInAnyOrderElementsOf(snapshot.rows());
    for (StructField field : golden.schema().toSpark().fields()) {
      StructType column = new StructType(new StructField[] {field});
      assertThat(LakeRows.read(table, instant, golden.schema(), column))
          .as("column %s alone", field.name())
          .containsExactlyInAnyOrderElementsOf(
              rows.stream().map(row -> single(field.name(), row)).toList());
    }
    assertThat(LakeRows.read(table, instant, golden.schema(), new StructType()))
        .as("no column")
        .hasSameSizeAs(rows);
  }

  private static Map<String, Object> single(String name, Map<String, Object> row) {
    Map<String, Object> result = new HashMap<>();
    result.put(name, row.get(name));
    return result;
  }
}
