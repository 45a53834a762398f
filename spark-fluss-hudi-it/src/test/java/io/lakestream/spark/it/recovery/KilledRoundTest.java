package io.lakestream.spark.it.recovery;

import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.catalog.LakestreamTiering;
import io.lakestream.spark.it.harness.Answer;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rounds whose process is killed, at each step, and the round that comes after. */
@Tag("R-32")
class KilledRoundTest extends IntegrationTest {
  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(3);
  private static final int KILLS_AT_ANY_TIME = Integer.getInteger("lakestream.kills", 4);
  private static final Map<String, String> SETTINGS =
      Map.of("spark.sql.lakestream.tiering.heartbeat.timeout", "3s");

  @Test
  void logTable() throws Exception {
    TestTable table = create("events", TableSpec.log("id INT, s STRING").buckets(2, "id"));
    List<Row> model = new ArrayList<>();
    runEachKill(
        table,
        number -> {
          List<Row> rows =
              List.of(row(number, "a"), row(number, "a"), row(number + 100, "b" + number));
          table.apply(put(rows));
          model.addAll(rows);
          return model;
        });
  }

  @Test
  void primaryKeyTable() throws Exception {
    TestTable table = create("users", TableSpec.keyed("id INT, s STRING", "id").buckets(2, "id"));
    Map<Integer, Row> model = new HashMap<>();
    runEachKill(
        table,
        number -> {
          table.apply(
              put(row(number, "new"), row(0, "changed " + number)),
              put(row(-number, "short-lived")),
              delete(row(-number, null)),
              delete(row(number - 1, null)));
          model.put(number, row(number, "new"));
          model.put(0, row(0, "changed " + number));
          model.remove(number - 1);
          return new ArrayList<>(model.values());
        });
  }

  /** By a signal, whatever the process is doing at that time. */
  @Test
  void atAnyTime() throws Exception {
    long seed = Long.getLong("lakestream.seed", System.nanoTime());
    System.out.println("KilledRoundTest: -Dlakestream.seed=" + seed);
    Random random = new Random(seed);
    TestTable table = create("events", TableSpec.log("id INT, s STRING").buckets(2, "id"));
    List<Row> model = new ArrayList<>();
    withSettings(
        SETTINGS,
        () -> {
          try (Victims victims = new Victims(environment(), HEARTBEAT_TIMEOUT)) {
            for (int number = 0; number < KILLS_AT_ANY_TIME; number++) {
              List<Row> rows = List.of(row(number, "a"), row(number + 100, "b"));
              table.apply(put(rows));
              model.addAll(rows);
              Duration after = Duration.ofMillis(random.nextInt(6_000));
              victims.kill(table, after);
              assertRows(table, "SELECT * FROM {t}", model.toArray(Row[]::new));
              Rounds.tierAfterDeath(table, HEARTBEAT_TIMEOUT);
              assertBoth(table, model);
            }
          }
        });
  }

  private interface Writer {
    List<Row> write(int number);
  }

  /** Writes, kills a round, compares; lets a round come after it, compares; for each point. */
  private void runEachKill(TestTable table, Writer writer) throws Exception {
    withSettings(
        SETTINGS,
        () -> {
          try (Victims victims = new Victims(environment(), HEARTBEAT_TIMEOUT)) {
            List<Row> before = List.copyOf(writer.write(1));
            table.tier();
            assertBoth(table, before);
            int number = 2;
            for (KillPoint point : KillPoint.values()) {
              List<Row> now = List.copyOf(writer.write(number++));
              victims.kill(table, point);
              assertUnion(table, now, point);
              assertLake(table, point == KillPoint.AFTER_REPORT ? now : before, point);
              Rounds.tierAfterDeath(table, HEARTBEAT_TIMEOUT);
              assertBoth(table, now);
              assertThat(
                      LakestreamTiering.status(environment().spark(), "lake", table.path()).lag())
                  .isZero();
              assertThat(completedInstants(table)).isEqualTo(number - 1);
              before = now;
            }
            if (!table.info().getPrimaryKeys().isEmpty()) {
              table.compact();
              assertBoth(table, before);
            }
          }
        });
  }

  /** Every round is in exactly one instant: none was written again. */
  private static long completedInstants(TestTable table) {
    return table.timelineFiles().stream()
        .filter(file -> file.matches("\\d+_\\d+\\.(delta)?commit"))
        .count();
  }

  private void assertBoth(TestTable table, List<Row> expected) {
    assertRows(table, "SELECT * FROM {t}", expected.toArray(Row[]::new));
    assertRows(EntryPoint.LAKE_ONLY, table, "SELECT * FROM {t}", expected.toArray(Row[]::new));
  }

  private static void assertUnion(TestTable table, List<Row> expected, KillPoint point) {
    assertThat(table.query(EntryPoint.CATALOG, "SELECT * FROM {t}").rows())
        .as("union after %s", point)
        .containsExactlyInAnyOrderElementsOf(Answer.rows(expected));
  }

  private static void assertLake(TestTable table, List<Row> expected, KillPoint point) {
    assertThat(table.query(EntryPoint.LAKE_ONLY, "SELECT * FROM {t}").rows())
        .as("lake after %s", point)
        .containsExactlyInAnyOrderElementsOf(Answer.rows(expected));
  }
}
