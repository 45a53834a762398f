package io.lakestream.spark.it.cases;

import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.LakeFiles;
import io.lakestream.spark.it.harness.Placement;
import io.lakestream.spark.it.harness.PlacementCase;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Kind K: a key's bucket is Fluss's, whatever the key looks like. */
class BucketTest extends IntegrationTest {
  private static final int KEYS = 200;
  private static final int BUCKETS = 8;

  /** Each entry point asks for other keys; with twelve odd ones, all of them have their turn. */
  private static final int POINT_QUERY_EVERY = 13;

  private static final List<String> ODD_KEYS =
      List.of("a:b", "10:11:12", "k2", "k1:x", "a:", ":", " ", "k1", "null", "%2C", "ä:中", "10");

  @Test
  @Tag("R-28")
  void separatorsInKeys() {
    checkSeparators(
        create("b", TableSpec.keyed("k1 STRING, k2 STRING, v INT", "k1", "k2").buckets(BUCKETS)),
        false);
  }

  @Test
  @Tag("R-28")
  void separatorsInKeysOfAPartitionedTable() {
    checkSeparators(
        create(
            "b",
            TableSpec.keyed("k1 STRING, k2 STRING, v INT, p STRING", "k1", "k2", "p")
                .partitionedBy("p")
                .buckets(BUCKETS)),
        true);
  }

  private void checkSeparators(TestTable table, boolean partitioned) {
    table.apply(put(rows(0, KEYS, 0, partitioned)));
    table.tierOnce();
    Set<String> groups = LakeFiles.groups(table);
    table.apply(put(rows(0, 20, 1_000, partitioned)));
    checkAnswers(table, List.of(EntryPoint.CATALOG, EntryPoint.FORMAT));
    table.tierOnce();
    assertThat(LakeFiles.groups(table)).as("updates go where the keys are").isEqualTo(groups);
    checkAnswers(table, List.of(EntryPoint.values()));
  }

  private void checkAnswers(TestTable table, List<EntryPoint> entryPoints) {
    for (EntryPoint entryPoint : entryPoints) {
      assertRows(
          entryPoint,
          table,
          "SELECT count(*), count(DISTINCT struct(k1, k2)) FROM {t}",
          row((long) KEYS, (long) KEYS));
      assertRows(
          entryPoint,
          table,
          "SELECT k1, k2, v FROM {t}",
          IntStream.range(0, KEYS)
              .mapToObj(i -> row(first(i), second(i), value(i)))
              .toArray(Row[]::new));
      for (int i = entryPoint.ordinal(); i < KEYS; i += POINT_QUERY_EVERY) {
        assertRows(
            entryPoint,
            table,
            "SELECT v FROM {t} WHERE k1 = '%s' AND k2 = '%s'".formatted(first(i), second(i)),
            row(value(i)));
      }
      assertRows(entryPoint, table, "SELECT k2 FROM {t} WHERE v = 27", row(second(27)));
      assertRows(entryPoint, table, "SELECT count(*) FROM {t} WHERE k1 = 'a:b'", row(count("a:b")));
      assertRows(
          entryPoint,
          table,
          "SELECT count(*) FROM {t} WHERE k1 = 'a:b' OR v = 27",
          row(count("a:b") + (first(27).equals("a:b") ? 0 : 1)));
    }
  }

  private static long count(String firstKey) {
    return IntStream.range(0, KEYS).filter(i -> first(i).equals(firstKey)).count();
  }

  private static List<Row> rows(int from, int to, int plus, boolean partitioned) {
    return IntStream.range(from, to)
        .mapToObj(
            i ->
                partitioned
                    ? row(first(i), second(i), i + plus, "p" + i % 2)
                    : row(first(i), second(i), i + plus))
        .toList();
  }

  private static String first(int i) {
    return ODD_KEYS.get(i % ODD_KEYS.size());
  }

  private static String second(int i) {
    if (i == POINT_QUERY_EVERY) {
      return "v";
    }
    return i % 3 == 0 ? "v:" + i : ODD_KEYS.get(i / 7 % ODD_KEYS.size()) + i;
  }

  private static int value(int i) {
    return i < 20 ? i + 1_000 : i;
  }

  /** Updates and deletes meet their rows for keys of every type that a key may have. */
  @TestFactory
  @Tag("R-28")
  Stream<DynamicNode> keysOfEveryType() {
    List<PlacementCase> cases = new ArrayList<>();
    cases.add(keys("TINYINT", i -> (byte) (i - 10)));
    cases.add(keys("SMALLINT", i -> (short) (i * 997 - 9_000)));
    cases.add(keys("INT", i -> i * 1_000_003 - 1_000_000_000));
    cases.add(keys("BIGINT", i -> Long.MIN_VALUE + i * 977_777_777_777L));
    cases.add(keys("DECIMAL(20,3)", i -> BigDecimal.valueOf(i * 1_000_001L - 9_000_000, 3)));
    cases.add(keys("CHAR(4)", i -> "c" + i));
    cases.add(keys("DATE", i -> LocalDate.of(1969, 12, 25).plusDays(i)));
    cases.add(
        keys(
            "TIMESTAMP(6)",
            i -> LocalDateTime.of(1969, 12, 31, 23, 59, 59).plusNanos(i * 77_777_000L)));
    cases.add(
        keys(
            "TIMESTAMP(3)",
            i -> LocalDateTime.of(1969, 12, 31, 23, 59, 59).plusNanos(i * 77_000_000L)));
    cases.add(
        keys("TIMESTAMP_LTZ(6)", i -> Instant.parse("2024-02-29T23:59:59Z").plusNanos(i * 1_000L)));
    cases.add(keys("FLOAT", i -> i / 4f - 2));
    cases.add(keys("DOUBLE", i -> i / 3.0 - 2));
    return run(cases);
  }

  private static PlacementCase keys(String type, IntFunction<Object> key) {
    List<Row> all = IntStream.range(0, 20).mapToObj(i -> row(key.apply(i), i, "old")).toList();
    List<Row> updated = IntStream.range(5, 10).mapToObj(i -> row(key.apply(i), i, "new")).toList();
    List<Row> again = IntStream.range(8, 12).mapToObj(i -> row(key.apply(i), i, "tail")).toList();
    List<Row> deleted = IntStream.range(3, 6).mapToObj(i -> row(key.apply(i), null, null)).toList();
    return PlacementCase.of(
            "R-28 " + type, TableSpec.keyed("k " + type + ", i INT, v STRING", "k").buckets(3))
        .base(put(all))
        .lake(put(updated))
        .tail(put(again), delete(deleted))
        .query("SELECT * FROM {t}")
        .query(
            "SELECT v, count(*), min(i), max(i) FROM {t} GROUP BY v",
            row("old", 11L, 0, 19),
            row("new", 2L, 6, 7),
            row("tail", 4L, 8, 11))
        .in(Placement.SPLIT);
  }
}
