package io.lakestream.spark.tiering.service;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks clusters for the tables that they give out. A table that failed and is given again too early
 * goes back, which ends the asking until the next time. Guarded by the service, but for {@link
 * #request}.
 */
final class Leases {
  private static final Logger LOG = LoggerFactory.getLogger(Leases.class);
  private static final Duration IDLE = Duration.ofSeconds(10);

  private final TieredTables tables;
  private final Clock clock;
  private final Duration poll;
  private final Duration renewal;
  private final RoundSchedule schedule;
  private final ScheduledThreadPoolExecutor timer;
  private Instant next;

  Leases(TieredTables tables, ServiceSettings settings, Clock clock, Random random) {
    this.tables = tables;
    this.clock = clock;
    this.poll = settings.leasePoll();
    this.renewal = settings.leaseRenewal();
    this.schedule = new RoundSchedule(random);
    this.timer =
        new ScheduledThreadPoolExecutor(
            settings.parallelism(),
            task -> {
              Thread thread = new Thread(task, "lakestream-lease");
              thread.setDaemon(true);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(IDLE.toMillis(), TimeUnit.MILLISECONDS);
    timer.allowCoreThreadTimeOut(true);
    this.next = clock.instant();
  }

  /** Sets which tables may be given. */
  void update(Map<String, Pace> wanted) {
    schedule.update(wanted, clock.instant());
  }

  /** When clusters are to be asked again, empty if there is no table that they could give. */
  Optional<Instant> nextPoll() {
    return schedule.tables().isEmpty() ? Optional.empty() : Optional.of(next);
  }

  boolean isDue() {
    return nextPoll().filter(due -> !due.isAfter(clock.instant())).isPresent();
  }

  /** Asks again at once, since a table may be waiting. */
  void pollSoon() {
    next = clock.instant();
  }

  /** Asks again only when it is time to. */
  void pollLater() {
    next = clock.instant().plus(poll);
  }

  /** Asks for a table. */
  Optional<LeasedTable> request() {
    try {
      return tables.lease();
    } catch (RuntimeException failure) {
      LOG.warn("No table can be asked for.", failure);
      return Optional.empty();
    }
  }

  /** The turn of a table that was given, empty if it is not to be tiered now. */
  Optional<Turn> begin(LeasedTable given) {
    if (!schedule.begin(given.name(), clock.instant())) {
      return Optional.empty();
    }
    Future<?> signs =
        timer.scheduleWithFixedDelay(
            () -> LeasedTurn.quietly(given.name(), () -> given.leases().renew(given.lease())),
            renewal.toMillis(),
            renewal.toMillis(),
            TimeUnit.MILLISECONDS);
    return Optional.of(new LeasedTurn(given, signs, schedule));
  }
}
