package io.lakestream.spark.it.interop;

import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.it.harness.Answer;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.Environment;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.fluss.exception.LakeTableSnapshotNotExistException;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/**
 * Keys that the lake cannot tell apart: refused without a trace, and gone when they are deleted.
 */
class RefusedKeysTest extends IntegrationTest {
  private static final TableSpec SPEC =
      TableSpec.keyed("a STRING NOT NULL, b STRING NOT NULL, v INT", "a", "b").buckets(1, "a");

  @Test
  void aCommaInAKeyOfSeveralColumns() throws IOException {
    TestTable table = create("comma", SPEC);
    table.apply(put(row("x", "1", 1), row("x,y", "1", 2)));
    assertRefused(table, "the key column a has the value 'x,y'");
    assertThat(dataFiles(table)).isEmpty();
    assertThat(table.timelineFiles()).noneMatch(name -> name.endsWith(".deltacommit"));
    assertThatThrownBy(
            () ->
                Environment.await(environment().admin().getReadableLakeSnapshot(table.flussPath())))
        .hasRootCauseInstanceOf(LakeTableSnapshotNotExistException.class);
    assertRows(table, "SELECT * FROM {t}", row("x", "1", 1), row("x,y", "1", 2));

    table.apply(delete(row("x,y", "1", 2)));
    table.tierOnce();
    assertLakeAndUnion(table, row("x", "1", 1));

    // Once there is a lake, the key's delete goes to the log of a file group.
    table.apply(put(row("x,y", "1", 3), row("z", "1", 4)));
    assertRefused(table, "the key column a has the value 'x,y'");
    assertRows(table, "SELECT * FROM {t}", row("x", "1", 1), row("x,y", "1", 3), row("z", "1", 4));
    table.apply(delete(row("x,y", "1", 3)));
    table.tierOnce();
    assertLakeAndUnion(table, row("x", "1", 1), row("z", "1", 4));
    table.compact();
    assertLakeAndUnion(table, row("x", "1", 1), row("z", "1", 4));
  }

  @Test
  void thePlaceholderOfTheEmptyTextIsNotTheEmptyText() {
    TestTable table = create("placeholder", SPEC);
    table.apply(put(row("", "1", 1), row("x", "", 2)));
    table.tierOnce();
    assertLakeAndUnion(table, row("", "1", 1), row("x", "", 2));

    table.apply(put(row("__empty__", "1", 3)));
    assertRefused(table, "the key column a has the value '__empty__'");
    assertRows(
        table, "SELECT * FROM {t}", row("", "1", 1), row("x", "", 2), row("__empty__", "1", 3));
    table.apply(delete(row("__empty__", "1", 3)), put(row("y", "1", 4)));
    assertRows(table, "SELECT * FROM {t}", row("", "1", 1), row("x", "", 2), row("y", "1", 4));
    table.tierOnce();
    assertLakeAndUnion(table, row("", "1", 1), row("x", "", 2), row("y", "1", 4));
    table.apply(delete(row("", "1", 1)));
    table.tierOnce();
    assertLakeAndUnion(table, row("x", "", 2), row("y", "1", 4));
  }

  private static void assertRefused(TestTable table, String problem) {
    assertThatThrownBy(table::tierOnce)
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_REFUSED))
        .hasMessageContaining(table.path() + ": " + problem)
        .hasMessageContaining("Delete the key and write its row under another one.");
  }

  private void assertLakeAndUnion(TestTable table, Row... expected) {
    assertRows(table, "SELECT * FROM {t}", expected);
    assertRows(EntryPoint.LAKE_ONLY, table, "SELECT * FROM {t}", expected);
    assertThat(
            Answer.rows(
                environment()
                    .spark()
                    .read()
                    .format("hudi")
                    .load(table.lakeDirectory().toString())
                    .select("a", "b", "v")
                    .collectAsList()))
        .as("by Hudi")
        .containsExactlyInAnyOrderElementsOf(Answer.rows(List.of(expected)));
  }

  private static List<Path> dataFiles(TestTable table) throws IOException {
    try (Stream<Path> files = Files.walk(table.lakeDirectory())) {
      return files
          .filter(file -> file.getFileName().toString().matches("\\.?\\d{8}-.*"))
          .filter(file -> !file.toString().contains(".hoodie"))
          .toList();
    }
  }
}
