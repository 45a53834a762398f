package io.lakestream.spark.it.cases;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.it.harness.Answer;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.HudiServices;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.LakeFiles;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.io.IOException;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kind N: a round is its table's, and appends are appended. */
class CommitTest extends IntegrationTest {

  @Test
  @Tag("R-33")
  void tableThatWasDroppedAndCreatedAgain() throws IOException {
    TestTable table = create("dr", TableSpec.log("id INT"));
    table.apply(put(row(1), row(2), row(3), row(4), row(5)));
    String old = table.tierOnce();
    Dataset<Row> knewTheOldTable = table.load();
    assertThat(knewTheOldTable.count()).isEqualTo(5);

    sql("DROP TABLE " + table.sqlName());
    sql("CREATE TABLE " + table.sqlName() + " (id INT) TBLPROPERTIES ('bucket.num'='1')");
    table.apply(put(row(100), row(101)));

    assertRows(table, "SELECT * FROM {t}", row(100), row(101));
    assertRows(EntryPoint.LAKE_ONLY, table, "SELECT * FROM {t}");
    assertThatThrownBy(
            () ->
                sql("SELECT * FROM " + table.sqlName() + " VERSION AS OF '" + old + "'")
                    .collectAsList())
        .hasMessageContaining("LAKESTREAM_LAKE_MISMATCH")
        .hasMessageContaining(table.path())
        .hasMessageContaining("drop the old lake table");
    assertNewRowsOrRefused(knewTheOldTable);
    assertThatThrownBy(table::tier)
        .hasMessageContaining("LAKESTREAM_LAKE_MISMATCH")
        .hasMessageContaining(table.path())
        .hasMessageContaining("drop the old lake table");
    assertRows(table, "SELECT * FROM {t}", row(100), row(101));

    FileUtils.deleteDirectory(table.lakeDirectory().toFile());
    table.tierOnce();
    assertRows(table, "SELECT * FROM {t}", row(100), row(101));
    assertRows(EntryPoint.LAKE_ONLY, table, "SELECT * FROM {t}", row(100), row(101));
  }

  private static void assertNewRowsOrRefused(Dataset<Row> read) {
    List<List<Object>> rows;
    try {
      rows = Answer.of(read).rows();
    } catch (Exception refused) {
      assertThat(refused).hasMessageContaining("LAKESTREAM_TABLE_REPLACED");
      return;
    }
    assertThat(rows).containsExactlyInAnyOrder(List.of(100), List.of(101));
  }

  @Test
  @Tag("R-34")
  void appendsWithEqualKeysAreAllKept() {
    TestTable table =
        create(
            "lg",
            TableSpec.log("k STRING, v INT")
                .property("hudi.hoodie.datasource.write.recordkey.field", "k")
                .property("hudi.hoodie.datasource.write.precombine.field", "v")
                .buckets(3, "k"));
    table.apply(put(row("s", 1), row("s", 1), row("s", 9), row("t", 2)));
    table.tierOnce();
    table.apply(put(row("s", 1), row("s", 3)));
    assertMultiset(table, List.of(EntryPoint.CATALOG, EntryPoint.FORMAT));
    table.tierOnce();
    assertMultiset(table, List.of(EntryPoint.values()));
    assertThat(LakeFiles.groups(table)).allMatch(group -> group.matches("/?0000000[0-2]-.*"));

    HudiServices hudi = HudiServices.of(environment(), table);
    hudi.cluster(hudi.scheduleClustering().orElseThrow());
    assertMultiset(table, List.of(EntryPoint.values()));
    hudi.clean();
    assertMultiset(table, List.of(EntryPoint.values()));
  }

  private void assertMultiset(TestTable table, List<EntryPoint> entryPoints) {
    for (EntryPoint entryPoint : entryPoints) {
      assertRows(
          entryPoint,
          table,
          "SELECT k, v, count(*) FROM {t} GROUP BY k, v",
          row("s", 1, 3L),
          row("s", 9, 1L),
          row("s", 3, 1L),
          row("t", 2, 1L));
    }
  }
}
