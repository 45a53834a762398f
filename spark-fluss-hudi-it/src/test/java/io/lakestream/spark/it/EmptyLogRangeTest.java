package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.harness.Answer;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Offsets of a log that hold no row: reads end, and rounds pass over them once. */
class EmptyLogRangeTest extends IntegrationTest {
  private static final String QUERY = "SELECT count(*), sum(v) FROM {t}";
  private static final Row EXPECTED = row(12L, 7_800L);

  @Test
  @Tag("R-09")
  void deletesOfKeysThatNeverExisted() {
    TestTable table = create("k", TableSpec.keyed("id INT, v INT", "id"));
    table.apply(put(rows()));
    table.tier();
    table.apply(delete(row(900, null), row(901, null), row(902, null)));

    assertThatRoundsPassOver(table);
  }

  @Test
  @Tag("R-09")
  void upsertsThatTheMergeEngineIgnores() {
    TestTable table =
        create(
            "k",
            TableSpec.keyed("id INT, v INT", "id").property("table.merge-engine", "first_row"));
    table.apply(put(rows()));
    table.tier();
    for (int round = 0; round < 9; round++) {
      table.apply(put(row(1, 1_000_000 + round)));
    }

    assertThatRoundsPassOver(table);
  }

  @Test
  @Tag("R-09")
  void pollsThatOftenComeBackEmpty() {
    TestTable table = create("k", TableSpec.keyed("id INT, v INT", "id"));
    table.apply(put(rows()));
    table.tier();
    table.apply(delete(row(900, null), row(901, null), row(902, null)));

    Answer answer =
        Answer.of(
            environment()
                .format()
                .option("scan.poll.timeout", "1ms")
                .load(table.path())
                .selectExpr("count(*)", "sum(v)"));

    assertThat(answer.rows()).isEqualTo(Answer.rows(List.of(EXPECTED)));
  }

  @Test
  @Tag("R-09")
  void logThatHoldsNothingButOffsets() {
    TestTable table = create("k", TableSpec.keyed("id INT, v INT", "id").buckets(2));
    table.apply(delete(row(1, null), row(2, null), row(3, null), row(4, null)));

    assertRows(table, QUERY, row(0L, null));
    table.tier();
    assertThat(table.tieredEnd()).isEqualTo(table.logEnd());
    assertRows(table, QUERY, row(0L, null));
  }

  private void assertThatRoundsPassOver(TestTable table) {
    assertRows(table, QUERY, EXPECTED);

    table.tier();
    assertThat(table.tieredEnd()).isEqualTo(table.logEnd());
    Set<String> afterOneRound = table.timelineFiles();

    table.tier();
    table.tier();
    assertThat(table.timelineFiles()).isEqualTo(afterOneRound);
    assertThat(table.tieredEnd()).isEqualTo(table.logEnd());

    assertRows(table, QUERY, EXPECTED);
  }

  private static List<Row> rows() {
    return IntStream.rangeClosed(1, 12).mapToObj(id -> row(id, id * 100)).toList();
  }
}
