package io.lakestream.spark.tiering.service;

import io.lakestream.spark.tiering.RoundResult;
import io.lakestream.spark.tiering.TableStatus;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tiers many tables until it is stopped: each at its own pace, or when its cluster gives it to this
 * service. A table that fails waits for longer and longer and stops no other. One line is logged
 * for each round. Thread-safe.
 */
public final class TieringService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TieringService.class);

  private final TieredTables tables;
  private final ServiceSettings settings;
  private final Clock clock;
  private final RoundListener listener;
  private final ExecutorService rounds;
  private final Thread dispatcher;

  /** Guarded by this, as is all below. */
  private final RoundSchedule schedule;

  private final Leases leases;
  private int running;
  private boolean stopping;

  /**
   * @param listener hears of every round
   */
  public TieringService(
      TieredTables tables,
      ServiceSettings settings,
      Clock clock,
      Random random,
      RoundListener listener) {
    this.tables = tables;
    this.settings = settings;
    this.clock = clock;
    this.listener = listener;
    this.schedule = new RoundSchedule(random);
    this.leases = new Leases(tables, settings, clock, random);
    this.rounds =
        Executors.newFixedThreadPool(
            settings.parallelism(), task -> thread(task, "lakestream-round"));
    this.dispatcher = thread(this::dispatch, "lakestream-tiering");
  }

  private static Thread thread(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Begins to tier; returns at once. */
  public void start() {
    dispatcher.start();
  }

  /** Begins no further round; those that run go on to their end. Returns at once. */
  public synchronized void stop() {
    stopping = true;
    notifyAll();
  }

  /**
   * Waits until the service was stopped and its last round has ended.
   *
   * @return false if that did not happen in time
   */
  public boolean awaitTermination(Duration timeout) throws InterruptedException {
    return rounds.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Stops and waits for the rounds that run. */
  @Override
  public void close() throws InterruptedException {
    stop();
    rounds.awaitTermination(Long.MAX_VALUE, TimeUnit.MILLISECONDS);
  }

  private void dispatch() {
    Instant discover = clock.instant();
    try {
      while (true) {
        if (!clock.instant().isBefore(discover)) {
          discoverTables();
          discover = clock.instant().plus(settings.discovery());
        }
        beginDueRounds();
        beginLeasedRounds();
        synchronized (this) {
          if (stopping) {
            return;
          }
          pause(discover);
        }
      }
    } catch (InterruptedException interrupted) {
      LOG.info("The tiering service was interrupted.");
    } finally {
      rounds.shutdown();
    }
  }

  private void discoverTables() {
    try {
      TableListing found = tables.list();
      synchronized (this) {
        schedule.update(found.scheduled(), clock.instant());
        leases.update(found.leased());
      }
    } catch (Exception failure) {
      LOG.warn("Tables cannot be listed; the known ones are tiered on.", failure);
    }
  }

  private synchronized void beginDueRounds() {
    while (hasRoom()) {
      Optional<String> next = schedule.begin(clock.instant());
      if (next.isEmpty()) {
        return;
      }
      begin(new ScheduledTurn(next.get(), schedule));
    }
  }

  /** Clusters are asked without the lock, as they may take long to answer. */
  private void beginLeasedRounds() {
    while (wantsLease()) {
      Optional<LeasedTable> given = leases.request();
      if (!beginLeased(given)) {
        given.ifPresent(LeasedTurn::giveBack);
        return;
      }
    }
  }

  private synchronized boolean wantsLease() {
    return hasRoom() && leases.isDue();
  }

  private synchronized boolean beginLeased(Optional<LeasedTable> given) {
    Optional<Turn> turn = stopping ? Optional.empty() : given.flatMap(leases::begin);
    turn.ifPresentOrElse(this::begin, leases::pollLater);
    return turn.isPresent();
  }

  private boolean hasRoom() {
    return !stopping && running < settings.parallelism();
  }

  private void begin(Turn turn) {
    running++;
    rounds.execute(() -> run(turn));
  }

  private void pause(Instant discover) throws InterruptedException {
    Instant until = discover;
    if (hasRoom()) {
      until = earlier(until, schedule.nextDue());
      until = earlier(until, leases.nextPoll());
    }
    long millis = Duration.between(clock.instant(), until).toMillis();
    if (millis > 0) {
      wait(millis);
    }
  }

  private static Instant earlier(Instant instant, Optional<Instant> other) {
    return other.filter(instant::isAfter).orElse(instant);
  }

  /** Spark throws checked exceptions that it does not declare, so whatever comes is caught. */
  private void run(Turn turn) {
    String table = turn.table();
    try {
      RoundResult result = tables.tier(table, turn.owner());
      Optional<String> maintenance = maintain(turn);
      TableStatus status = tables.status(table);
      LOG.info("{}", ProgressLine.of(table, result, status, maintenance));
      status.warning().ifPresent(LOG::warn);
      listener.succeeded(table, result, status);
      boolean more = result.waiting() > 0;
      turn.succeeded(more);
      ended(turn, () -> turn.schedule().succeeded(table, more, clock.instant()));
    } catch (Throwable failure) {
      turn.failed();
      ended(
          turn,
          () -> {
            Duration wait = turn.schedule().failed(table, clock.instant());
            LOG.warn("{}: the round failed; next one in {} ms.", table, wait.toMillis(), failure);
          });
      listener.failed(table, failure);
    }
  }

  /** A round is done whatever becomes of the housekeeping, which is tried again after the next. */
  private Optional<String> maintain(Turn turn) {
    try {
      return tables.maintain(turn.table(), turn.owner());
    } catch (RuntimeException failure) {
      LOG.warn("{}: the housekeeping after the round failed.", turn.table(), failure);
      return Optional.of("housekeeping failed");
    }
  }

  private synchronized void ended(Turn turn, Runnable update) {
    running--;
    update.run();
    if (turn instanceof LeasedTurn) {
      leases.pollSoon();
    }
    notifyAll();
  }
}
