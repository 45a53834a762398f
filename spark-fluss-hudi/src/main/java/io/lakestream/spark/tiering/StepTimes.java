package io.lakestream.spark.tiering;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

/** How long each step of a round took. Not thread-safe. */
final class StepTimes {
  private final Map<RoundStep, Duration> durations = new EnumMap<>(RoundStep.class);

  <T> T measure(RoundStep step, Supplier<T> action) {
    long start = System.nanoTime();
    try {
      return action.get();
    } finally {
      durations.merge(step, Duration.ofNanos(System.nanoTime() - start), Duration::plus);
    }
  }

  void measure(RoundStep step, Runnable action) {
    measure(
        step,
        () -> {
          action.run();
          return null;
        });
  }

  Map<RoundStep, Duration> durations() {
    return Map.copyOf(durations);
  }
}
