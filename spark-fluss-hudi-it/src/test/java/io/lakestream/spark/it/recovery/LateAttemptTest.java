package io.lakestream.spark.it.recovery;

import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Task attempts that go on after their round is complete, and leave files of its instant that the
 * commit does not name: a base file and a log file, of the same file group and of another one.
 */
@Tag("R-32")
class LateAttemptTest extends IntegrationTest {
  private static final Pattern BASE = Pattern.compile("(.+)_(\\d+-\\d+-\\d+)_(\\d+)\\.parquet");
  private static final Pattern LOG =
      Pattern.compile("\\.(.+)_(\\d+)\\.log\\.(\\d+)_(\\d+-\\d+-\\d+)");
  private static final String LATE = "9-99-999";

  @Test
  void ofALogTable() throws Exception {
    TestTable table = create("events", TableSpec.log("id INT, s STRING").buckets(2, "id"));
    table.apply(put(row(1, "a"), row(2, "b"), row(3, "c")));
    table.tier();
    assertThat(leaveFiles(table)).isGreaterThanOrEqualTo(2);
    List<Row> rows = new ArrayList<>(List.of(row(1, "a"), row(2, "b"), row(3, "c")));
    assertBoth(table, rows);
    table.apply(put(row(4, "d")));
    rows.add(row(4, "d"));
    assertRows(table, "SELECT * FROM {t}", rows.toArray(Row[]::new));
    table.tier();
    assertBoth(table, rows);
  }

  @Test
  void ofAPrimaryKeyTable() throws Exception {
    TestTable table = create("users", TableSpec.keyed("id INT, s STRING", "id").buckets(2, "id"));
    table.apply(put(row(1, "a"), row(2, "b"), row(3, "c"), row(4, "d")));
    table.tier();
    assertThat(leaveFiles(table)).isGreaterThanOrEqualTo(2);
    assertBoth(table, List.of(row(1, "a"), row(2, "b"), row(3, "c"), row(4, "d")));
    table.apply(put(row(1, "new")), delete(row(2, null)));
    List<Row> rows = List.of(row(1, "new"), row(3, "c"), row(4, "d"));
    assertRows(table, "SELECT * FROM {t}", rows.toArray(Row[]::new));
    table.tier();
    assertThat(leaveFiles(table)).isGreaterThanOrEqualTo(2);
    assertBoth(table, rows);
    table.compact();
    assertBoth(table, rows);
  }

  private void assertBoth(TestTable table, List<Row> expected) {
    assertRows(table, "SELECT * FROM {t}", expected.toArray(Row[]::new));
    assertRows(EntryPoint.LAKE_ONLY, table, "SELECT * FROM {t}", expected.toArray(Row[]::new));
  }

  /** Leaves two copies of each data file, as attempts do; returns how many files it made. */
  private static int leaveFiles(TestTable table) throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.list(table.lakeDirectory())) {
      files = found.filter(Files::isRegularFile).toList();
    }
    int made = 0;
    for (Path file : files) {
      String name = file.getFileName().toString();
      Matcher base = BASE.matcher(name);
      Matcher log = LOG.matcher(name);
      if (base.matches()) {
        String group = base.group(1);
        String rest = "_" + LATE + "_" + base.group(3) + ".parquet";
        made += copy(file, group + rest) + copy(file, other(group) + rest);
      } else if (log.matches()) {
        String group = log.group(1);
        String rest = "_" + log.group(2) + ".log." + log.group(3) + "_" + LATE;
        made += copy(file, "." + group + rest) + copy(file, "." + other(group) + rest);
      }
    }
    return made;
  }

  /** The id of another file group of the same bucket. */
  private static String other(String group) {
    return group.substring(0, group.length() - 8) + "ffffff-0";
  }

  private static int copy(Path file, String name) throws IOException {
    Path copy = file.resolveSibling(name);
    if (Files.exists(copy)) {
      return 0;
    }
    Files.copy(file, copy);
    return 1;
  }
}
