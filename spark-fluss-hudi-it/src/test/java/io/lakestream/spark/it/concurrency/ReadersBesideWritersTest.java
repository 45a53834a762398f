package io.lakestream.spark.it.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.concurrency.Digest.Pair;
import io.lakestream.spark.it.harness.Change;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.ScanMetrics;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import io.lakestream.spark.read.UnionScan;
import io.lakestream.spark.snapshot.UnionSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Readers while others write, tier and compact. Each answer is what the change log says of the
 * offsets at which the query was frozen, and all references of a query see the same rows. {@code
 * -Dlakestream.seconds=} makes it longer, {@code -Dlakestream.seed=} repeats the changes.
 */
class ReadersBesideWritersTest extends IntegrationTest {
  private static final int SECONDS = Integer.getInteger("lakestream.seconds", 20);
  private static final int KEYS = 300;
  private static final int ROUNDS_PER_COMPACTION = 3;

  private final ConcurrentLinkedQueue<Seen> seen = new ConcurrentLinkedQueue<>();

  /** What a query answered, and what it was frozen at. */
  private record Seen(TestTable table, UnionSnapshot snapshot, Digest digest) {
    Map<Integer, Long> stops() {
      return snapshot.tails().stream()
          .collect(Collectors.toMap(tail -> tail.bucket().bucket(), tail -> tail.stop()));
    }
  }

  private interface Step {
    void run(int number) throws Exception;
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.HOURS)
  void eachAnswerIsThatOfItsOwnOffsets() throws Exception {
    long seed = Long.getLong("lakestream.seed", System.nanoTime());
    System.out.println("ReadersBesideWritersTest: -Dlakestream.seed=" + seed);
    TestTable log = create("log", TableSpec.log("id INT, v BIGINT").buckets(2));
    TestTable keyed = create("keyed", TableSpec.keyed("id INT, v BIGINT", "id").buckets(2));
    Random random = new Random(seed);
    write(log, random, 0);
    write(keyed, random, 0);

    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    Random logRandom = new Random(random.nextLong());
    Random keyedRandom = new Random(random.nextLong());
    List<CompletableFuture<Void>> all =
        List.of(
            repeat(end, number -> write(log, logRandom, number)),
            repeat(end, number -> write(keyed, keyedRandom, number)),
            repeat(end, number -> tier(log, keyed, number)),
            repeat(end, number -> read(number % 2 == 0 ? log : keyed)),
            repeat(end, number -> readTwice(number % 2 == 0 ? keyed : log)));
    for (CompletableFuture<Void> each : all) {
      each.get(SECONDS + 300L, TimeUnit.SECONDS);
    }

    for (TestTable table : List.of(log, keyed)) {
      ChangeLog changes = ChangeLog.read(environment(), table);
      List<Seen> answers = seen.stream().filter(each -> each.table() == table).toList();
      for (Seen answer : answers) {
        assertThat(answer.digest())
            .as("seed %s: %s at %s", seed, table.path(), answer.snapshot())
            .isEqualTo(Digest.of(changes.upTo(answer.stops())));
      }
      assertThat(answers).as("answers of %s", table.path()).hasSizeGreaterThan(3);
      assertThat(answers.stream().map(answer -> answer.snapshot().lakeInstant()).distinct())
          .as("lake instants that were read of %s", table.path())
          .hasSizeGreaterThan(1);
    }
  }

  private static CompletableFuture<Void> repeat(long end, Step step) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            for (int number = 1; System.nanoTime() < end; number++) {
              step.run(number);
            }
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        },
        task -> new Thread(task, "readers-beside-writers").start());
  }

  private static void write(TestTable table, Random random, int number) {
    List<Change> changes = new ArrayList<>();
    boolean keyed = !table.info().getPrimaryKeys().isEmpty();
    for (int i = 0; i < 10; i++) {
      Row row = RowFactory.create(random.nextInt(KEYS), number * 100L + i);
      boolean delete = keyed && random.nextInt(4) == 0;
      changes.add(delete ? Change.delete(row) : Change.put(row));
    }
    table.apply(changes);
  }

  private static void tier(TestTable log, TestTable keyed, int number) {
    log.tier();
    keyed.tier();
    if (number % ROUNDS_PER_COMPACTION == 0) {
      keyed.compact();
    }
  }

  private void read(TestTable table) {
    Dataset<Row> query = table.dataset(EntryPoint.CATALOG, "SELECT id, v FROM {t}");
    List<Pair> rows =
        query.collectAsList().stream().map(row -> new Pair(row.getInt(0), row.getLong(1))).toList();
    UnionScan scan = ScanMetrics.unionScans(query).get(0);
    seen.add(new Seen(table, scan.snapshot(), Digest.of(rows)));
  }

  /** A join of the table with itself, and subqueries beside it. */
  private static void readTwice(TestTable table) {
    Row row =
        table
            .dataset(
                EntryPoint.CATALOG,
                "WITH a AS (SELECT id, v, count(*) n FROM {t} GROUP BY id, v),"
                    + " b AS (SELECT v, id, count(*) n FROM {t} GROUP BY v, id)"
                    + " SELECT count_if(a.n IS NULL OR b.n IS NULL OR a.n <> b.n),"
                    + " sum(a.n), (SELECT count(*) FROM {t}), (SELECT sum(v) FROM {t}), sum(b.n * b.v)"
                    + " FROM a FULL OUTER JOIN b ON a.id = b.id AND a.v = b.v")
            .first();
    assertThat(row.getLong(0)).as("rows that one reference alone sees: %s", row).isZero();
    assertThat(row.getLong(1)).as("%s", row).isEqualTo(row.getLong(2));
    assertThat(row.getLong(3)).as("%s", row).isEqualTo(row.getLong(4));
  }
}
