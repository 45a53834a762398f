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
 * Tiers many tables, each at its own pace, until it is stopped. A table that fails waits for longer
 * and longer and stops no other. One line is logged for each round. Thread-safe.
 */
public final class TieringService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TieringService.class);

  private final TieredTables tables;
  private final Duration discovery;
  private final Clock clock;
  private final RoundListener listener;
  private final RoundSchedule schedule;
  private final ExecutorService rounds;
  private final Thread dispatcher;
  private final int parallelism;

  /** Guarded by this, as is the schedule. */
  private int running;

  private boolean stopping;

  /**
   * @param parallelism how many tables are tiered at once
   * @param discovery how often tables are looked for
   * @param listener hears of every round
   */
  public TieringService(
      TieredTables tables,
      int parallelism,
      Duration discovery,
      Clock clock,
      Random random,
      RoundListener listener) {
    this.tables = tables;
    this.parallelism = parallelism;
    this.discovery = discovery;
    this.clock = clock;
    this.listener = listener;
    this.schedule = new RoundSchedule(random);
    this.rounds =
        Executors.newFixedThreadPool(parallelism, task -> thread(task, "lakestream-round"));
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
          discover = clock.instant().plus(discovery);
        }
        synchronized (this) {
          if (stopping) {
            return;
          }
          beginDueRounds();
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
      var found = tables.list();
      synchronized (this) {
        schedule.update(found, clock.instant());
      }
    } catch (Exception failure) {
      LOG.warn("Tables cannot be listed; the known ones are tiered on.", failure);
    }
  }

  private void beginDueRounds() {
    while (running < parallelism) {
      Optional<String> next = schedule.begin(clock.instant());
      if (next.isEmpty()) {
        return;
      }
      running++;
      rounds.execute(() -> run(next.get()));
    }
  }

  private void pause(Instant discover) throws InterruptedException {
    Instant until =
        running < parallelism
            ? schedule.nextDue().filter(due -> due.isBefore(discover)).orElse(discover)
            : discover;
    long millis = Duration.between(clock.instant(), until).toMillis();
    if (millis > 0) {
      wait(millis);
    }
  }

  /** Spark throws checked exceptions that it does not declare, so whatever comes is caught. */
  private void run(String table) {
    try {
      RoundResult result = tables.tier(table);
      Optional<String> maintenance = maintain(table);
      TableStatus status = tables.status(table);
      LOG.info("{}", ProgressLine.of(table, result, status, maintenance));
      status.warning().ifPresent(LOG::warn);
      listener.succeeded(table, result, status);
      ended(() -> schedule.succeeded(table, result.waiting() > 0, clock.instant()));
    } catch (Throwable failure) {
      ended(
          () -> {
            Duration wait = schedule.failed(table, clock.instant());
            LOG.warn("{}: the round failed; next one in {} ms.", table, wait.toMillis(), failure);
          });
      listener.failed(table, failure);
    }
  }

  /** A round is done whatever becomes of the housekeeping, which is tried again after the next. */
  private Optional<String> maintain(String table) {
    try {
      return tables.maintain(table);
    } catch (RuntimeException failure) {
      LOG.warn("{}: the housekeeping after the round failed.", table, failure);
      return Optional.of("housekeeping failed");
    }
  }

  private synchronized void ended(Runnable update) {
    running--;
    update.run();
    notifyAll();
  }
}
