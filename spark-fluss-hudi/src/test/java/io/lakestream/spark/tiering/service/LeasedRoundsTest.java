package io.lakestream.spark.tiering.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.log.TieringLease;
import io.lakestream.spark.log.TieringLeases;
import io.lakestream.spark.tiering.LeaseOwner;
import io.lakestream.spark.tiering.RoundResult;
import io.lakestream.spark.tiering.TableOwner;
import io.lakestream.spark.tiering.TableStatus;
import io.lakestream.spark.types.TablePath;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A service whose tables are given by their cluster. */
@Timeout(60)
class LeasedRoundsTest {
  private static final Duration NEVER = Duration.ofHours(1);
  private static final Pace PATIENT = new Pace(Duration.ZERO, NEVER, NEVER);

  private final BlockingQueue<String> waiting = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final ConcurrentLinkedQueue<String> failing = new ConcurrentLinkedQueue<>();
  private volatile CountDownLatch hold = new CountDownLatch(0);
  private volatile long left;
  private volatile boolean voidLeases;

  private final TieringLeases leases =
      new TieringLeases() {
        @Override
        public Optional<TieringLease> request() {
          throw new UnsupportedOperationException();
        }

        @Override
        public void renew(TieringLease lease) {
          events.add("renew " + lease.path());
          if (voidLeases) {
            throw new IllegalStateException("void");
          }
        }

        @Override
        public void finish(TieringLease lease, boolean more) {
          events.add("finish " + lease.path() + (more ? " more" : ""));
          if (voidLeases) {
            throw new IllegalStateException("void");
          }
        }

        @Override
        public void giveBack(TieringLease lease) {
          events.add("give back " + lease.path());
        }
      };

  private final TieredTables tables =
      new TieredTables() {
        @Override
        public TableListing list() {
          return new TableListing(Map.of(), Map.of("db.a", PATIENT, "db.b", PATIENT));
        }

        @Override
        public Optional<LeasedTable> lease() {
          return Optional.ofNullable(waiting.poll())
              .map(name -> new LeasedTable(name, leases, leaseOf(name)));
        }

        @Override
        public RoundResult tier(String table, TableOwner owner) {
          assertThat(owner).isEqualTo(new LeaseOwner(leases, leaseOf(table)));
          events.add("tier " + table);
          try {
            hold.await();
          } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
          }
          if (failing.contains(table)) {
            throw new IllegalStateException("broken");
          }
          return new RoundResult(
              Optional.of("1"), 1, 0, 10, Map.of(), left, Optional.empty(), Map.of());
        }

        @Override
        public Optional<String> maintain(String table, TableOwner owner) {
          assertThat(owner).isEqualTo(new LeaseOwner(leases, leaseOf(table)));
          events.add("maintain " + table);
          return Optional.empty();
        }

        @Override
        public TableStatus status(String table) {
          return new TableStatus(
              new TablePath("db", "t"), 1, Optional.empty(), Optional.empty(), List.of());
        }
      };

  private final RoundListener nobody =
      new RoundListener() {
        @Override
        public void succeeded(String table, RoundResult result, TableStatus status) {
          // The lease tells.
        }

        @Override
        public void failed(String table, Throwable failure) {
          // The lease tells.
        }
      };

  private static TieringLease leaseOf(String name) {
    return new TieringLease(new TablePath("db", name.substring("db.".length())), 1, 1, 1);
  }

  private TieringService service(Duration poll, Duration renewal) {
    return new TieringService(
        tables,
        new ServiceSettings(1, NEVER, poll, renewal),
        Clock.systemUTC(),
        new Random(1),
        nobody);
  }

  private String next() throws InterruptedException {
    return events.poll(30, TimeUnit.SECONDS);
  }

  /** The first signs of life may come before the round itself. */
  private void awaitTier() throws InterruptedException {
    String event;
    do {
      event = next();
    } while (event.equals("renew db.a"));
    assertThat(event).isEqualTo("tier db.a");
  }

  @Test
  void aTableIsTieredMaintainedAndFinished() throws Exception {
    waiting.add("db.a");
    try (TieringService service = service(Duration.ofMillis(5), NEVER)) {
      service.start();
      assertThat(List.of(next(), next(), next()))
          .containsExactly("tier db.a", "maintain db.a", "finish db.a");
      left = 7;
      waiting.add("db.b");
      assertThat(List.of(next(), next(), next()))
          .containsExactly("tier db.b", "maintain db.b", "finish db.b more");
    }
    assertThat(events).isEmpty();
  }

  @Test
  void signsOfLifeAreGivenWhileARoundRunsAndNotAfterIt() throws Exception {
    hold = new CountDownLatch(1);
    waiting.add("db.a");
    try (TieringService service = service(NEVER, Duration.ofMillis(2))) {
      service.start();
      awaitTier();
      voidLeases = true;
      // One that is refused does not end them.
      assertThat(List.of(next(), next(), next()))
          .containsExactly("renew db.a", "renew db.a", "renew db.a");
      hold.countDown();
      String last;
      do {
        last = next();
      } while (!last.startsWith("finish"));
    }
    assertThat(events).isEmpty();
  }

  @Test
  void aTableThatFailedGoesBackAndIsNotTieredAgainTooEarly() throws Exception {
    failing.add("db.a");
    waiting.add("db.a");
    try (TieringService service = service(Duration.ofMillis(5), NEVER)) {
      service.start();
      assertThat(List.of(next(), next())).containsExactly("tier db.a", "give back db.a");
      waiting.add("db.a");
      waiting.add("db.b");
      assertThat(List.of(next(), next(), next(), next()))
          .containsExactly("give back db.a", "tier db.b", "maintain db.b", "finish db.b");
    }
  }

  @Test
  void aStoppedServiceEndsItsRoundAndAsksForNoOther() throws Exception {
    hold = new CountDownLatch(1);
    waiting.add("db.a");
    TieringService service = service(Duration.ofMillis(5), NEVER);
    service.start();
    assertThat(next()).isEqualTo("tier db.a");
    service.stop();
    waiting.add("db.b");
    hold.countDown();
    assertThat(service.awaitTermination(Duration.ofSeconds(30))).isTrue();
    assertThat(events).containsExactly("maintain db.a", "finish db.a");
    assertThat(waiting).containsExactly("db.b");
  }
}
