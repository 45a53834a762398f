package io.lakestream.spark.tiering.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.tiering.RoundResult;
import io.lakestream.spark.tiering.RoundStep;
import io.lakestream.spark.tiering.TableOwner;
import io.lakestream.spark.tiering.TableStatus;
import io.lakestream.spark.types.TablePath;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TieringServiceTest {
  private static final Pace QUICK =
      new Pace(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(2));
  private static final Pace ONCE =
      new Pace(Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1));

  private final Map<String, Pace> found = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> wanted = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> rounds = new ConcurrentLinkedQueue<>();
  private final AtomicInteger atOnce = new AtomicInteger();
  private final AtomicInteger mostAtOnce = new AtomicInteger();
  private final TieringMetrics metrics = new TieringMetrics();
  private final CountDownLatch entered = new CountDownLatch(1);
  private volatile CountDownLatch hold = new CountDownLatch(0);

  private final TieredTables tables =
      new TieredTables() {
        @Override
        public TableListing list() {
          return new TableListing(Map.copyOf(found), Map.of());
        }

        @Override
        public Optional<LeasedTable> lease() {
          throw new UnsupportedOperationException();
        }

        @Override
        public RoundResult tier(String table, TableOwner owner) {
          mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
          try {
            entered.countDown();
            hold.await();
            if (table.equals("db.broken")) {
              throw new IllegalStateException("broken");
            } else if (table.equals("db.undeclared")) {
              throw TieringServiceTest.<RuntimeException>undeclared(new IOException("checked"));
            } else if (table.equals("db.error")) {
              throw new NoClassDefFoundError("gone");
            }
            return new RoundResult(
                Optional.of("1"),
                3,
                1,
                50,
                Map.of(),
                0,
                Optional.empty(),
                Map.of(RoundStep.WRITE, Duration.ofMillis(9)));
          } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
          } finally {
            atOnce.decrementAndGet();
            rounds.add(table);
            Optional.ofNullable(wanted.get(table)).ifPresent(CountDownLatch::countDown);
          }
        }

        @Override
        public Optional<String> maintain(String table, TableOwner owner) {
          if (table.equals("db.untidy")) {
            throw new IllegalStateException("housekeeping");
          }
          return Optional.empty();
        }

        @Override
        public TableStatus status(String table) {
          return new TableStatus(
              new TablePath("db", table), 1, Optional.empty(), Optional.empty(), List.of());
        }
      };

  private TieringService service(int parallelism) {
    return new TieringService(
        tables,
        new ServiceSettings(
            parallelism, Duration.ofMillis(5), Duration.ofHours(1), Duration.ofHours(1)),
        Clock.systemUTC(),
        new Random(1),
        metrics);
  }

  private void want(String table, Pace pace, int rounds) {
    wanted.put(table, new CountDownLatch(rounds));
    found.put(table, pace);
  }

  private void await(String table) throws InterruptedException {
    assertThat(wanted.get(table).await(30, TimeUnit.SECONDS)).as(table).isTrue();
  }

  @Test
  void aBrokenTableStopsNoOther() throws InterruptedException {
    want("db.a", QUICK, 20);
    want("db.broken", QUICK, 5);
    want("db.b", QUICK, 20);
    try (TieringService service = service(2)) {
      service.start();
      await("db.a");
      await("db.b");
      await("db.broken");
    }
    assertThat(mostAtOnce).hasValueLessThanOrEqualTo(2);
    long done = rounds.stream().filter("db.a"::equals).count();
    var registry = metrics.metricRegistry();
    assertThat(metrics.sourceName()).isEqualTo("lakestream.tiering");
    assertThat(registry.getCounters().get("db.a.rounds").getCount()).isEqualTo(done);
    assertThat(registry.getCounters().get("db.a.rows").getCount()).isEqualTo(3 * done);
    assertThat(registry.getCounters().get("db.a.bytes").getCount()).isEqualTo(50 * done);
    assertThat(registry.getCounters().get("db.broken.failures").getCount())
        .isEqualTo(rounds.stream().filter("db.broken"::equals).count());
    assertThat(registry.getGauges().get("db.a.lastRound.writeMillis").getValue()).isEqualTo(9L);
    assertThat(registry.getGauges().get("db.a.lagOffsets").getValue()).isEqualTo(0L);
  }

  @Test
  void whateverIsThrownTheServiceGoesOn() throws InterruptedException {
    want("db.undeclared", QUICK, 3);
    want("db.error", QUICK, 3);
    want("db.untidy", QUICK, 3);
    try (TieringService service = service(1)) {
      service.start();
      await("db.undeclared");
      await("db.error");
      await("db.untidy");
    }
    var counters = metrics.metricRegistry().getCounters();
    assertThat(counters.get("db.undeclared.failures").getCount()).isGreaterThanOrEqualTo(3);
    assertThat(counters.get("db.error.failures").getCount()).isGreaterThanOrEqualTo(3);
    assertThat(counters.get("db.untidy.rounds").getCount()).isGreaterThanOrEqualTo(3);
    assertThat(counters).doesNotContainKey("db.untidy.failures");
  }

  /** Throws as Scala does: a checked exception that no signature has. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException undeclared(Throwable failure) throws E {
    throw (E) failure;
  }

  @Test
  void tablesThatComeLaterAreFoundAndThoseThatGoAreLeft() throws InterruptedException {
    want("db.a", QUICK, 1);
    try (TieringService service = service(1)) {
      service.start();
      await("db.a");
      want("db.late", ONCE, 1);
      await("db.late");
      found.remove("db.a");
      want("db.last", ONCE, 1);
      await("db.last");
    }
    assertThat(rounds).containsOnlyOnce("db.late").containsOnlyOnce("db.last");
  }

  @Test
  void aRoundThatRunsIsEndedByAGracefulStopAndNoneBegins() throws InterruptedException {
    hold = new CountDownLatch(1);
    want("db.a", QUICK, 1);
    TieringService service = service(1);
    service.start();
    entered.await();
    service.stop();
    assertThat(service.awaitTermination(Duration.ofMillis(50))).isFalse();
    hold.countDown();
    assertThat(service.awaitTermination(Duration.ofSeconds(30))).isTrue();
    assertThat(rounds).containsExactly("db.a");
  }

  @Test
  void aRoundIsOneLine() {
    RoundResult result =
        new RoundResult(
            Optional.of("20260101000000000"),
            3,
            1,
            50,
            Map.of(),
            0,
            Optional.of("20250101000000000"),
            Map.of(RoundStep.COMMIT, Duration.ofMillis(7), RoundStep.WRITE, Duration.ofMillis(9)));
    assertThat(ProgressLine.of("db.t", result, tables.status("t"), Optional.of("compacted at 5")))
        .isEqualTo(
            "db.t: instant 20260101000000000, 3 rows, 1 deletes, 50 bytes, reported"
                + " 20250101000000000 first; lag 0 offsets; write 9 ms, commit 7 ms; compacted at 5");
  }
}
