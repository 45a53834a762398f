package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.PartitionKey;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hudi's own reader takes partition values from folders: they must be what the rows have. */
class PartitionTypesHudiTest extends HudiTieringTestBase {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      value = {
        "STRING, 2026-08-01, 2026-08-02, '2026-08-01', 2026-08-01",
        "STRING, 7, 007, '7', 7",
        "INTEGER, 7, -80, 7, 7",
        "BIGINT, 7, 80, 7, 7",
        "DATE, 20666, 20667, date'2026-08-01', 2026-08-01",
        "DATE, -1, 0, date'1969-12-31', 1969-12-31",
        "BOOLEAN, true, false, true, true"
      })
  void rowsHaveTheirPartitionAndAreFoundByIt(
      Kind kind, String first, String second, String literal, String text) {
    use(table(kind, List.of()));
    append(1, 1, value(kind, first));
    append(2, 2, value(kind, second));
    round();
    assertThat(rows("n", "n = 1 = (p = " + literal + ")", "if(n = 1, cast(p as string), '')"))
        .containsExactly("[1,true," + text + "]", "[2,true,]");
    assertThat(found("p = " + literal)).containsExactly("[1]");
    assertThat(found("p <> " + literal)).containsExactly("[2]");
    assertThat(found("p in (" + literal + ")")).containsExactly("[1]");
    assertThat(found("p is null")).isEmpty();
  }

  /** Later rounds find the folders of the earlier ones, in whatever way these spell dates. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFolderOfADateIsFoundAgain(boolean hudiHash) {
    LogTable table = table(Kind.DATE, List.of("n", "p"));
    use(hudiHash ? TestTables.hashedByHudi(table) : table);
    append(1, 1, 20_666);
    append(1, 2, 20_666);
    round();
    cluster.append(new LogBucket(1L, 0), ChangeKind.DELETE, 1, 20_666);
    round();
    assertThat(directory.resolve("lake").resolve(hudiHash ? "20666" : "2026-08-01")).isDirectory();
    assertThat(rows("n", "_hoodie_partition_path"))
        .containsExactly(hudiHash ? "[2,20666]" : "[2,2026-08-01]");
  }

  private static LogTable table(Kind kind, List<String> primaryKey) {
    return TestTables.table(
        "parts",
        TestTables.columns("n", LogicalType.of(Kind.INTEGER), "p", LogicalType.of(kind)),
        primaryKey,
        List.of("p"),
        primaryKey.isEmpty() ? List.of() : List.of("n"),
        1);
  }

  private void append(long partition, int n, Object value) {
    LogPartition known =
        new LogPartition(partition, "p" + partition, new PartitionKey(List.of(value)));
    if (!cluster.partitions.contains(known)) {
      cluster.partitions.add(known);
    }
    cluster.append(new LogBucket(partition, 0), ChangeKind.INSERT, n, value);
  }

  private List<String> found(String where) {
    return lake().where(where).select("n").collectAsList().stream()
        .map(Row::toString)
        .sorted()
        .toList();
  }

  private static Object value(Kind kind, String text) {
    return switch (kind) {
      case STRING -> UTF8String.fromString(text);
      case BOOLEAN -> Boolean.valueOf(text);
      case BIGINT -> Long.valueOf(text);
      default -> Integer.valueOf(text);
    };
  }
}
