package io.lakestream.spark.it.cases;

import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.HudiServices;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.LakeFiles;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kind I: what the lake's timeline holds beside finished rounds. */
class TimelineTest extends IntegrationTest {
  private static final TableSpec KEYED = TableSpec.keyed("id INT, v STRING", "id");
  private static final List<EntryPoint> UNION = List.of(EntryPoint.CATALOG, EntryPoint.FORMAT);

  @Test
  @Tag("R-23")
  void fileGroupsThatWereNeverCompacted() {
    TestTable table =
        create(
            "uncompacted",
            TableSpec.keyed("id INT, v STRING, dt STRING", "id", "dt")
                .partitionedBy("dt")
                .buckets(2, "id"));
    table.apply(put(rows(30, id -> row(id, "v" + id, "d" + id % 2))));
    table.tierOnce();
    Set<String> groups = LakeFiles.groups(table);
    assertThat(groups).hasSize(4);
    assertEverywhere(table, "SELECT count(*) FROM {t}", row(30L));

    table.apply(put(rows(5, id -> row(id, "new" + id, "d" + id % 2))));
    assertUnion(table, "SELECT v FROM {t} WHERE id = 3", row("new3"));
    table.tierOnce();
    assertThat(LakeFiles.groups(table)).isEqualTo(groups);
    assertEverywhere(table, "SELECT count(*), count(DISTINCT id) FROM {t}", row(30L, 30L));
    assertEverywhere(table, "SELECT v FROM {t} WHERE id = 3 AND dt = 'd1'", row("new3"));
    assertEverywhere(table, "SELECT v FROM {t} WHERE id = 6", row("v6"));
    assertEverywhere(table, "SELECT count(*) FROM {t} WHERE v LIKE 'new%'", row(5L));
  }

  @Test
  @Tag("R-24")
  void writesAfterACompactionThatIsScheduledOnly() {
    TestTable table = create("scheduled", KEYED);
    // Hudi plans no compaction after a single delta commit.
    for (int half = 1; half <= 6; half += 5) {
      int first = half;
      table.apply(put(rows(5, id -> row(first + id, "v" + (first + id)))));
      table.tierOnce();
    }
    HudiServices hudi = HudiServices.of(environment(), table);
    String compaction = hudi.scheduleCompaction().orElseThrow();
    table.apply(put(row(3, "three")), delete(row(4, null)), put(row(11, "eleven")));
    table.tierOnce();
    table.apply(put(row(5, "five")));

    assertAfterTheSecondRound(table);
    hudi.beginCompaction(compaction);
    assertAfterTheSecondRound(table);
    hudi.compact(compaction);
    assertAfterTheSecondRound(table);
  }

  private void assertAfterTheSecondRound(TestTable table) {
    Row[] tiered = {
      row(1, "v1"),
      row(2, "v2"),
      row(3, "three"),
      row(5, "v5"),
      row(6, "v6"),
      row(7, "v7"),
      row(8, "v8"),
      row(9, "v9"),
      row(10, "v10"),
      row(11, "eleven")
    };
    assertRows(EntryPoint.LAKE_ONLY, table, "SELECT * FROM {t}", tiered);
    Row[] all = tiered.clone();
    all[3] = row(5, "five");
    assertUnion(table, "SELECT * FROM {t}", all);
  }

  @Test
  @Tag("R-25")
  void replacedFileGroups() {
    TestTable table = create("replaced", TableSpec.log("id INT, s STRING"));
    for (int round = 0; round < 6; round++) {
      int first = 10 * round;
      table.apply(put(rows(10, id -> row(first + id, "s"))));
      table.tierOnce();
    }
    HudiServices hudi = HudiServices.of(environment(), table);
    assertSixty(table);
    String clustering = hudi.scheduleClustering().orElseThrow();
    assertSixty(table);
    hudi.cluster(clustering);
    assertThat(table.timelineFiles()).anyMatch(file -> file.endsWith(".replacecommit"));
    assertSixty(table);
    hudi.clean();
    assertSixty(table);
    for (int round = 0; round < 4; round++) {
      table.apply(put(row(100 + round, "later")));
      table.tierOnce();
      hudi.clean();
    }
    hudi.archive();
    assertThat(table.timelineFiles()).noneMatch(file -> file.startsWith(clustering));
    assertEverywhere(
        table, "SELECT count(*), count(DISTINCT id) FROM {t} WHERE id < 100", row(60L, 60L));
    assertEverywhere(table, "SELECT count(*), count(DISTINCT id) FROM {t}", row(64L, 64L));
  }

  private void assertSixty(TestTable table) {
    assertEverywhere(table, "SELECT count(*), count(DISTINCT id) FROM {t}", row(60L, 60L));
  }

  @Test
  @Tag("R-26")
  void aRoundThatMovesOffsetsButWritesNoRow() {
    TestTable table = threeRounds(KEYED);
    // A key that never was: the server keeps an offset for it all the same.
    table.apply(delete(row(900, null)));
    String instant = table.tierOnce();
    assertThat(table.timelineFiles()).anyMatch(file -> file.startsWith(instant + "_"));
    assertThat(table.tieredEnd()).isEqualTo(table.logEnd());
    assertKnownWithATailOfTwo(table);
  }

  @Test
  @Tag("R-26")
  void aCompactionAfterTheLastRound() {
    TestTable table = threeRounds(KEYED);
    HudiServices hudi = HudiServices.of(environment(), table);
    hudi.compact(hudi.scheduleCompaction().orElseThrow());
    assertKnownWithATailOfTwo(table);
  }

  @Test
  @Tag("R-26")
  void aClusteringAndACleaningAfterTheLastRound() {
    TestTable table = threeRounds(TableSpec.log("id INT, v STRING"));
    HudiServices hudi = HudiServices.of(environment(), table);
    hudi.cluster(hudi.scheduleClustering().orElseThrow());
    hudi.clean();
    assertKnownWithATailOfTwo(table);
  }

  /** Three rows, each of a round of its own. */
  private TestTable threeRounds(TableSpec spec) {
    TestTable table = create("rounds", spec);
    for (int round = 0; round < 3; round++) {
      table.apply(put(row(round, "r" + round)));
      table.tierOnce();
    }
    return table;
  }

  private void assertKnownWithATailOfTwo(TestTable table) {
    table.apply(put(row(50, "x"), row(51, "y")));
    assertThat(sql("DESCRIBE " + table.sqlName()).select("col_name", "data_type").collectAsList())
        .contains(row("id", "int"), row("v", "string"));
    assertUnion(table, "SELECT count(*), count(DISTINCT id) FROM {t}", row(5L, 5L));
    assertRows(EntryPoint.LAKE_ONLY, table, "SELECT count(*) FROM {t}", row(3L));

    table.tierOnce();
    assertThat(table.tieredEnd()).isEqualTo(table.logEnd());
    assertEverywhere(
        table,
        "SELECT * FROM {t}",
        row(0, "r0"),
        row(1, "r1"),
        row(2, "r2"),
        row(50, "x"),
        row(51, "y"));
    assertThat(table.tier()).isEmpty();
  }

  private static Row[] rows(int count, IntFunction<Row> row) {
    return IntStream.range(0, count).mapToObj(row).toArray(Row[]::new);
  }

  private void assertUnion(TestTable table, String query, Row... expected) {
    UNION.forEach(entryPoint -> assertRows(entryPoint, table, query, expected));
  }

  private void assertEverywhere(TestTable table, String query, Row... expected) {
    assertUnion(table, query, expected);
    assertRows(EntryPoint.LAKE_ONLY, table, query, expected);
  }
}
