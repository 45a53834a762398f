package io.lakestream.spark.tiering.service;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * When which table is to be tiered next. Keeps no clock and no thread: the caller says what time it
 * is. A table has one round at a time. Not thread-safe.
 */
final class RoundSchedule {
  /**
   * How much of a wait after a failure is left to chance, so that two services do not meet again.
   */
  private static final double JITTER = 0.5;

  private final Random random;
  private final Map<String, Entry> tables = new LinkedHashMap<>();

  RoundSchedule(Random random) {
    this.random = random;
  }

  private static final class Entry {
    private Pace pace;
    private Instant due;
    private Instant started;
    private int failures;

    private boolean isRunning() {
      return started != null;
    }
  }

  /** Sets the tables: new ones are due at once, those that are missing are forgotten. */
  void update(Map<String, Pace> wanted, Instant now) {
    tables.entrySet().removeIf(entry -> !wanted.containsKey(entry.getKey()));
    wanted.forEach(
        (table, pace) -> {
          Entry entry = tables.computeIfAbsent(table, ignored -> new Entry());
          entry.pace = pace;
          if (entry.due == null) {
            entry.due = now;
          }
        });
  }

  /** Begins a round of the table that has been due for longest, if one is. */
  Optional<String> begin(Instant now) {
    Optional<Map.Entry<String, Entry>> next =
        tables.entrySet().stream()
            .filter(table -> !table.getValue().isRunning() && !table.getValue().due.isAfter(now))
            .min(Map.Entry.comparingByValue((a, b) -> a.due.compareTo(b.due)));
    next.ifPresent(table -> table.getValue().started = now);
    return next.map(Map.Entry::getKey);
  }

  /** Begins a round of a table, unless it is unknown, has one already, or has to wait. */
  boolean begin(String table, Instant now) {
    Entry entry = tables.get(table);
    if (entry == null || entry.isRunning() || entry.due.isAfter(now)) {
      return false;
    }
    entry.started = now;
    return true;
  }

  /**
   * Ends a round that went well.
   *
   * @param more whether it left something that was there already, so that the next is due at once
   */
  void succeeded(String table, boolean more, Instant now) {
    Entry entry = tables.get(table);
    if (entry != null) {
      Instant onTime = entry.started.plus(entry.pace.freshness());
      entry.due = more || onTime.isBefore(now) ? now : onTime;
      entry.failures = 0;
      entry.started = null;
    }
  }

  /** Ends a round that failed, and returns how long its table is left alone. */
  Duration failed(String table, Instant now) {
    Entry entry = tables.get(table);
    if (entry == null) {
      return Duration.ZERO;
    }
    Duration wait = entry.pace.firstRetry();
    for (int i = 0; i < entry.failures && wait.compareTo(entry.pace.lastRetry()) < 0; i++) {
      wait = wait.multipliedBy(2);
    }
    if (wait.compareTo(entry.pace.lastRetry()) > 0) {
      wait = entry.pace.lastRetry();
    }
    long millis = (long) (wait.toMillis() * (1 - JITTER * random.nextDouble()));
    entry.failures++;
    entry.started = null;
    entry.due = now.plusMillis(millis);
    return Duration.ofMillis(millis);
  }

  /** When the next round is due, empty if no table is waiting. */
  Optional<Instant> nextDue() {
    return tables.values().stream()
        .filter(entry -> !entry.isRunning())
        .map(entry -> entry.due)
        .min(Instant::compareTo);
  }

  /** How many rounds have failed in a row, per table. */
  Map<String, Integer> failures() {
    Map<String, Integer> result = new HashMap<>();
    tables.forEach((table, entry) -> result.put(table, entry.failures));
    return result;
  }

  Collection<String> tables() {
    return tables.keySet();
  }
}
