package io.lakestream.spark.it.resources;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.it.harness.Change;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * After many queries, and after queries that fail, are cancelled or stop early, this process holds
 * what it held before. {@code -Dlakestream.queries=} makes it longer.
 */
class ResourcesTest extends IntegrationTest {
  private static final int QUERIES = Integer.getInteger("lakestream.queries", 1_000);
  private static final int WARM_UP = 60;
  private static final int OTHERS = 25;
  private static final int ROWS = 400;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Far less than one for each query; pools grow by a thread or two, jars are opened late. */
  private static final int SLACK = 8;

  /** Far less than one leaked buffer a query; Netty keeps chunks for each of its threads. */
  private static final long OFF_HEAP_SLACK = 8L << 20;

  /** One permit for each row that a held query has reached. */
  private static final Semaphore REACHED = new Semaphore(0);

  private TestTable log;
  private TestTable keyed;

  @BeforeAll
  void fillTables() {
    log = create("log", TableSpec.log("id INT, v INT, s STRING").buckets(2));
    keyed = create("keyed", TableSpec.keyed("id INT, v INT, s STRING", "id").buckets(2));
    for (TestTable table : List.of(log, keyed)) {
      table.apply(rows(0));
      table.tier();
      table.apply(rows(ROWS / 2));
    }
    environment()
        .spark()
        .udf()
        .register(
            "hold",
            (UDF1<Integer, Integer>)
                id -> {
                  REACHED.release();
                  new CountDownLatch(1).await();
                  return id;
                },
            DataTypes.IntegerType);
  }

  private static Change rows(int first) {
    return put(
        IntStream.range(first, first + ROWS)
            .mapToObj(id -> row(id, id % 7, "text " + id))
            .toArray(Row[]::new));
  }

  @Test
  void manySmallQueries() throws Exception {
    IntStream.range(0, WARM_UP).forEach(this::smallQuery);
    Resources before = Resources.now();
    IntStream.range(0, QUERIES).forEach(this::smallQuery);
    assertBack(before);
  }

  private void smallQuery(int number) {
    TestTable table = number % 2 == 0 ? log : keyed;
    int expected = table == log ? 2 * ROWS : ROWS + ROWS / 2;
    if (number % 4 < 2) {
      assertThat(table.query(EntryPoint.CATALOG, "SELECT count(*) FROM {t}").rows())
          .containsExactly(List.of((long) expected));
    } else {
      assertThat(table.query(EntryPoint.CATALOG, "SELECT id, s FROM {t} WHERE v >= 0").rows())
          .hasSize(expected);
    }
  }

  @Test
  void queriesThatFailAreCancelledOrStopEarly() throws Exception {
    others(2);
    Resources before = Resources.now();
    others(OTHERS);
    assertBack(before);
  }

  private void others(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      for (TestTable table : List.of(log, keyed)) {
        assertThatThrownBy(
                () ->
                    table.query(
                        EntryPoint.CATALOG,
                        "SELECT CASE WHEN v = 3 THEN raise_error('on purpose') ELSE s END"
                            + " FROM {t}"))
            .hasStackTraceContaining("on purpose");
        assertThat(table.query(EntryPoint.CATALOG, "SELECT * FROM {t} LIMIT 1").rows()).hasSize(1);
        assertThat(table.query(EntryPoint.CATALOG, "SELECT * FROM {t} LIMIT 450").rows())
            .hasSize(450);
        assertThatThrownBy(() -> table.query(EntryPoint.CATALOG, "SELECT nothing FROM {t}"))
            .hasMessageContaining("nothing");
        cancel(table);
      }
    }
  }

  /** Cancels a query in the middle of its rows. */
  private void cancel(TestTable table) throws Exception {
    SparkContext context = environment().spark().sparkContext();
    REACHED.drainPermits();
    CompletableFuture<Void> query =
        CompletableFuture.runAsync(
            () -> {
              context.setJobGroup("cancelled", "cancelled on purpose", true);
              table.query(EntryPoint.CATALOG, "SELECT hold(id), s FROM {t}");
            });
    assertThat(REACHED.tryAcquire(1, 60, TimeUnit.SECONDS)).as("the query runs").isTrue();
    context.cancelJobGroup("cancelled");
    assertThatThrownBy(() -> query.get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasStackTraceContaining("cancelled job group");
  }

  private static void assertBack(Resources before) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Resources after = Resources.now();
    while (!isBack(before, after) && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(250);
      after = Resources.now();
    }
    assertThat(isBack(before, after)).as("before: %s%nafter: %s", before, after).isTrue();
  }

  private static boolean isBack(Resources before, Resources after) {
    return after.sockets() <= before.sockets() + SLACK
        && after.fileCount() <= before.fileCount() + SLACK
        && after.threadCount() <= before.threadCount() + SLACK
        && after.offHeapBytes() <= before.offHeapBytes() + OFF_HEAP_SLACK;
  }
}
