package io.lakestream.spark.it.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.catalog.LakestreamTiering;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A random history of a log table and a primary-key table: writes, rounds, rounds whose process is
 * killed, compactions, partitions that come and go, a column that is added. After each step the
 * table is what the model says. {@code -Dlakestream.seed=} replays one, {@code
 * -Dlakestream.rounds=} makes it longer.
 */
@Tag("R-32")
class RandomRoundsTest extends IntegrationTest {
  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(3);
  private static final int ROUNDS = Integer.getInteger("lakestream.rounds", 60);
  private static final int ROUNDS_PER_KILL = 10;

  private final List<String> history = new ArrayList<>();
  private int rounds;
  private int kills;

  @Test
  @Timeout(value = 10, unit = TimeUnit.HOURS)
  void unionAndLakeAreWhatTheModelSays() throws Exception {
    long seed = Long.getLong("lakestream.seed", System.nanoTime());
    System.out.println("RandomRoundsTest: -Dlakestream.seed=" + seed);
    Random random = new Random(seed);
    ModelTable log =
        new ModelTable(
            create(
                "log",
                TableSpec.log("id INT, s STRING, dt STRING").partitionedBy("dt").buckets(2, "id")),
            false);
    ModelTable keyed =
        new ModelTable(
            create(
                "keyed",
                TableSpec.keyed("id INT, s STRING, dt STRING", "id", "dt")
                    .partitionedBy("dt")
                    .buckets(2, "id")),
            true);
    withSettings(
        Map.of("spark.sql.lakestream.tiering.heartbeat.timeout", "3s"),
        () -> {
          try (Victims victims = new Victims(environment(), HEARTBEAT_TIMEOUT)) {
            while (rounds < ROUNDS) {
              ModelTable model = random.nextBoolean() ? log : keyed;
              step(model, random, victims, seed);
              check(model, seed);
            }
          }
        });
    assertThat(kills).isGreaterThanOrEqualTo(ROUNDS / ROUNDS_PER_KILL);
  }

  private void step(ModelTable model, Random random, Victims victims, long seed) throws Exception {
    if (kills < rounds / ROUNDS_PER_KILL + 1 && rounds % ROUNDS_PER_KILL == 5) {
      kill(model, random, victims, seed);
      return;
    }
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3, 4 -> note(model, model.write(random));
      case 5 -> {
        if (model.isKeyed() && !model.reported().isEmpty()) {
          model.table.compact();
          note(model, "compact");
        }
      }
      case 6 -> {
        if (lag(model) == 0 && model.dropPartition()) {
          note(model, "drop a partition");
        }
      }
      case 7 -> {
        if (rounds > ROUNDS / 3 && !model.hasExtraColumn()) {
          model.addColumn();
          note(model, "add a column");
        }
      }
      default -> round(model);
    }
  }

  private void round(ModelTable model) {
    Rounds.tierAfterDeath(model.table, HEARTBEAT_TIMEOUT);
    model.wasReported();
    rounds++;
    note(model, "round");
    assertLake(model);
  }

  private void kill(ModelTable model, Random random, Victims victims, long seed) throws Exception {
    note(model, model.write(random));
    KillPoint point = KillPoint.values()[random.nextInt(KillPoint.values().length)];
    victims.kill(model.table, point);
    kills++;
    note(model, "kill at " + point);
    if (point == KillPoint.AFTER_REPORT) {
      model.wasReported();
    }
    assertLake(model);
    check(model, seed);
    round(model);
  }

  private long lag(ModelTable model) {
    return LakestreamTiering.status(environment().spark(), "lake", model.table.path()).lag();
  }

  private void note(ModelTable model, String step) {
    history.add(model.table.path() + ": " + step);
  }

  private void check(ModelTable model, long seed) {
    assertThat(model.table.query(EntryPoint.CATALOG, "SELECT * FROM {t}").rows())
        .as("union, seed %s, after %s", seed, history)
        .containsExactlyInAnyOrderElementsOf(model.all());
  }

  private void assertLake(ModelTable model) {
    if (!model.reported().isEmpty()) {
      assertThat(model.table.query(EntryPoint.LAKE_ONLY, "SELECT * FROM {t}").rows())
          .as("lake after %s", history)
          .containsExactlyInAnyOrderElementsOf(model.reported());
    }
  }
}
