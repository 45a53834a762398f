package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.it.harness.Answer;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.ScanMetrics;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.util.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tails that are larger than a task's memory. */
class TailSpillTest extends IntegrationTest {
  private static final int KEYS = 3_000;

  private TestTable table;
  private final List<Row> expected = new ArrayList<>();

  /** A base, log files over it, and a tail of updates, deletes and new keys. */
  @BeforeAll
  void prepare() {
    table = create("spill", TableSpec.keyed("id STRING, v INT, w STRING", "id").buckets(2));
    table.apply(put(rows(0, KEYS, 0)));
    table.tier();
    table.compact();
    table.apply(put(rows(0, KEYS / 10, 1)));
    table.tier();
    table.apply(put(rows(KEYS / 2, 2 * KEYS, 2)), delete(rows(KEYS, KEYS + 100, 2)));
    expected.addAll(rows(0, KEYS / 10, 1));
    expected.addAll(rows(KEYS / 10, KEYS / 2, 0));
    expected.addAll(rows(KEYS / 2, KEYS, 2));
    expected.addAll(rows(KEYS + 100, 2 * KEYS, 2));
  }

  private static List<Row> rows(int from, int to, int version) {
    return IntStream.range(from, to)
        .mapToObj(i -> row("key-" + i, i * 10 + version, "text " + version + " of " + i))
        .toList();
  }

  private Dataset<Row> read(String rows, String memory) {
    return environment()
        .format()
        .option("tail.max.rows", rows)
        .option("tail.memory", memory)
        .load(table.path());
  }

  @AfterEach
  void noFileIsLeft() throws IOException {
    Path directory = Path.of(Utils.getLocalDir(SparkEnv.get().conf()));
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.startsWith("lakestream-spill"));
    }
  }

  @Test
  void rowsAreTheSameWithinMemoryAndBeyond() {
    Dataset<Row> within = read("1000000", "256m");
    assertThat(Answer.of(within).rows()).containsExactlyInAnyOrderElementsOf(Answer.rows(expected));
    assertThat(ScanMetrics.of(within).sum("spilledBytes")).isZero();

    for (Dataset<Row> beyond : List.of(read("50", "256m"), read("1000000", "8k"))) {
      assertThat(Answer.of(beyond).rows())
          .containsExactlyInAnyOrderElementsOf(Answer.rows(expected));
      assertThat(ScanMetrics.of(beyond).sum("spilledBytes")).isGreaterThan(100_000);
      assertThat(Answer.of(beyond.selectExpr("count(*)", "sum(v)")).rows())
          .isEqualTo(Answer.of(within.selectExpr("count(*)", "sum(v)")).rows());
      assertThat(Answer.of(beyond.where("v % 10 = 1").select("w")).rows()).hasSize(KEYS / 10);
    }
  }

  @Test
  void limitedReads() {
    assertThat(read("50", "8k").limit(3).collectAsList()).hasSize(3);
    assertThat(read("50", "8k").where("v % 10 = 2").limit(7).collectAsList()).hasSize(7);
  }

  @Test
  void failedReads() {
    Dataset<Row> failing =
        read("50", "8k").selectExpr("if(v % 10 = 2, raise_error('no such luck'), v)");

    assertThatThrownBy(failing::collectAsList).hasMessageContaining("no such luck");
  }
}
