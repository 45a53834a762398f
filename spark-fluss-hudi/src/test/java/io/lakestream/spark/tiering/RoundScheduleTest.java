package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeWriteResult;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogBucket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Thousands of random steps on fakes of both tiers: rounds that die or fail before or after any
 * call, rounds inside of rounds and beside each other, writers that are silent for too long, clocks
 * that are set back. After each step every row is there once, and every offset is in one instant at
 * most. {@code -Dlakestream.seed=} replays, {@code -Dlakestream.steps=} makes it longer.
 */
class RoundScheduleTest {
  private static final int STEPS = Integer.getInteger("lakestream.steps", 4_000);
  private static final LogBucket[] BUCKETS = {new LogBucket(null, 0), new LogBucket(null, 1)};
  private static final Pattern ROW = Pattern.compile("b(\\d) \\+(\\d+)(\\D*)@(\\d+)");
  private static final Pattern DELETE = Pattern.compile("b(\\d) -(\\d+)");
  private static final int KEYS = 12;

  private final List<String> operations = new ArrayList<>();
  private final FakeLakeTables lake = new FakeLakeTables(operations);
  private final List<String> history = new ArrayList<>();
  private final Map<String, Integer> outcomes = new TreeMap<>();
  private FakeLogCluster cluster;
  private Random random;
  private boolean keyed;
  private int nested;

  /** Whether nothing dies or fails in this step, so that rounds get to their ends. */
  private boolean calm;

  private final Turns turns = new Turns();

  /** Per bucket, what each offset holds: a row's text, a deleted key's, or nothing. */
  private final List<List<String>> model = List.of(new ArrayList<>(), new ArrayList<>());

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyRowIsThereOnce(boolean primaryKey) {
    long seed = Long.getLong("lakestream.seed", System.nanoTime());
    System.out.println("RoundScheduleTest: -Dlakestream.seed=" + seed);
    random = new Random(seed);
    keyed = primaryKey;
    cluster = new FakeLogCluster(keyed ? TestTables.primaryKey(2) : TestTables.log(2), operations);
    lake.beforeRequest = instant -> turns.pause();
    for (int step = 0; step < STEPS; step++) {
      step();
      check("seed " + seed + ", step " + step);
      operations.clear();
    }
    assertThat(outcomes.keySet())
        .contains("done", "Death", "IllegalStateException", "TIERING_CONFLICT")
        .contains("TIERING_NOT_REPORTED", "TIERING_FAILED");
    assertThat(lake.completed).hasSizeGreaterThan(STEPS / 50);
  }

  private void step() {
    calm = random.nextInt(3) == 0;
    switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> write();
      case 4 -> timePasses();
      case 5 -> {
        // The clock is set back, or runs on; an instant that does not grow is refused.
        lake.nextInstant += random.nextInt(5) - 2;
      }
      case 6 -> roundsInTurns();
      default -> round();
    }
  }

  private void write() {
    int bucket = random.nextInt(BUCKETS.length);
    int id = random.nextInt(KEYS);
    if (random.nextInt(6) == 0) {
      cluster.skipOffset(BUCKETS[bucket]);
      model.get(bucket).add("");
    } else if (keyed && random.nextInt(3) == 0) {
      cluster.append(BUCKETS[bucket], ChangeKind.DELETE, id, UTF8String.fromString("x"));
      model.get(bucket).add("-" + id);
    } else {
      cluster.append(BUCKETS[bucket], ChangeKind.INSERT, id, UTF8String.fromString("r"));
      model.get(bucket).add("+" + id + "r");
    }
  }

  /** Everybody who is pending now is silent for too long, alive or not. */
  private void timePasses() {
    lake.silences.replaceAll((instant, silence) -> FakeLakeTables.TIMEOUT.plusMillis(1));
  }

  private void round() {
    String outcome;
    try {
      HostilePorts ports = new HostilePorts(this::event);
      new TieringRound(
              ports.cluster(cluster),
              ports.lakes(lake),
              ports.executor(RoundScheduleTest::execute),
              path -> Optional.empty())
          .run(
              cluster.table.path(),
              new TieringSettings(
                  "/lake", List.of(), new RoundLimits(1 + random.nextInt(9), 2, 1L << 20)));
      outcome = "done";
    } catch (LakestreamException coded) {
      outcome = coded.code().name();
    } catch (RuntimeException | Death end) {
      outcome = end.getClass().getSimpleName();
    }
    outcomes.merge(outcome, 1, Integer::sum);
    history.add("round: " + outcome);
  }

  /** Two or three rounds at once, of which at each call any may go on. */
  private void roundsInTurns() {
    timePasses();
    turns.run(random, Collections.nCopies(2 + random.nextInt(2), this::round));
  }

  /** What happens before or after a call of a round. */
  private void event(String call) {
    turns.pause();
    if (calm) {
      return;
    }
    // Both the lake's commit and the report are called so; a failure there tells the most.
    int dice = random.nextInt(call.endsWith(" commit") ? 30 : 200);
    if (dice < 3) {
      throw new Death(call);
    } else if (dice < 6) {
      throw new IllegalStateException(call);
    } else if (dice == 6) {
      timePasses();
    } else if (dice < 10 && nested < 2) {
      nested++;
      round();
      nested--;
    } else if (dice == 10) {
      write();
    }
  }

  private static List<LakeWriteResult> execute(List<BucketTask> tasks) {
    List<LakeWriteResult> results = new ArrayList<>();
    for (BucketTask task : tasks) {
      try {
        results.add(task.run());
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
    return results;
  }

  private void check(String when) {
    String reported = cluster.snapshot == null ? "" : cluster.snapshot.instant();
    if (cluster.snapshot != null) {
      assertThat(lake.completed).as(when).containsKey(reported);
    }
    Set<String> offsets = new HashSet<>();
    for (int bucket = 0; bucket < BUCKETS.length; bucket++) {
      long tiered =
          cluster.snapshot == null
              ? 0
              : cluster.snapshot.tieredOffsets().getOrDefault(BUCKETS[bucket], 0L);
      List<String> log = model.get(bucket);
      assertThat(tiered).as(when).isBetween(0L, (long) log.size());
      Map<Object, String> union = new HashMap<>();
      lake.changes.forEach(
          (instant, changes) -> {
            if (lake.completed.containsKey(instant)) {
              replayLake(
                  changes,
                  instant.compareTo(reported) <= 0 ? union : new HashMap<>(),
                  offsets,
                  when);
            }
          });
      Map<Object, String> rows = onlyOf(bucket, union);
      replayLog(bucket, log, (int) tiered, log.size(), rows);
      Map<Object, String> expected = new HashMap<>();
      replayLog(bucket, log, 0, log.size(), expected);
      assertThat(rows).as("%s, bucket %s, after %s", when, bucket, last()).isEqualTo(expected);
      offsets.clear();
    }
  }

  private String last() {
    return history.subList(Math.max(0, history.size() - 20), history.size()).toString();
  }

  private void replayLake(
      List<String> changes, Map<Object, String> rows, Set<String> offsets, String when) {
    for (String change : changes) {
      Matcher row = ROW.matcher(change);
      if (row.matches()) {
        String offset = row.group(1) + "@" + row.group(4);
        assertThat(offsets.add(offset)).as("%s: %s is in one instant", when, offset).isTrue();
        rows.put(key(row.group(1), row.group(2), offset), "+" + row.group(2) + row.group(3));
      } else {
        Matcher delete = DELETE.matcher(change);
        assertThat(delete.matches()).isTrue();
        rows.remove(key(delete.group(1), delete.group(2), ""));
      }
    }
  }

  private void replayLog(int bucket, List<String> log, int from, int to, Map<Object, String> rows) {
    for (int offset = from; offset < to; offset++) {
      String change = log.get(offset);
      if (change.startsWith("+")) {
        String id = change.replaceAll("\\D", "");
        rows.put(key(Integer.toString(bucket), id, bucket + "@" + offset), change);
      } else if (change.startsWith("-")) {
        rows.remove(key(Integer.toString(bucket), change.substring(1), ""));
      }
    }
  }

  /** A row is known by its key, or in a log table by its offset. */
  private String key(String bucket, String id, String offset) {
    return bucket + ":" + (keyed ? id : offset);
  }

  private static Map<Object, String> onlyOf(int bucket, Map<Object, String> rows) {
    Map<Object, String> result = new HashMap<>(rows);
    result.keySet().removeIf(key -> !key.toString().startsWith(bucket + ":"));
    return result;
  }
}
