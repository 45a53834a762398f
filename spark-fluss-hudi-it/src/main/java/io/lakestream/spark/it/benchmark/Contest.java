package io.lakestream.spark.it.benchmark;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Times several ways to get the same answer in turn, round after round, so that a machine whose
 * speed drifts is as slow for each of them. The first rounds only warm up.
 */
final class Contest {
  private final String title;
  private final int warmUps;
  private final int rounds;
  private final Map<String, Way> ways = new LinkedHashMap<>();

  Contest(String title, int warmUps, int rounds) {
    this.title = title;
    this.warmUps = warmUps;
    this.rounds = rounds;
  }

  private record Way(Runnable preparation, Runnable run) {}

  Contest way(String name, Runnable way) {
    return way(name, () -> {}, way);
  }

  /** A way whose preparation, before each run, is not timed. */
  Contest way(String name, Runnable preparation, Runnable way) {
    ways.put(name, new Way(preparation, way));
    return this;
  }

  /** Runs all rounds and gives the median seconds by way, as text, with the ratio to the first. */
  String run() {
    Map<String, double[]> seconds = new LinkedHashMap<>();
    ways.keySet().forEach(name -> seconds.put(name, new double[rounds]));
    for (int round = -warmUps; round < rounds; round++) {
      for (Map.Entry<String, Way> way : ways.entrySet()) {
        way.getValue().preparation().run();
        long start = System.nanoTime();
        way.getValue().run().run();
        if (round >= 0) {
          seconds.get(way.getKey())[round] = (System.nanoTime() - start) / 1e9;
        }
      }
    }
    StringBuilder text = new StringBuilder(title);
    double first = Double.NaN;
    for (Map.Entry<String, double[]> way : seconds.entrySet()) {
      double[] sorted = way.getValue();
      Arrays.sort(sorted);
      double median = sorted[rounds / 2];
      first = Double.isNaN(first) ? median : first;
      text.append(
          String.format(
              Locale.ROOT,
              "%n  %-28s median %7.3f s  (%.3f to %.3f)  ratio %.2f",
              way.getKey(),
              median,
              sorted[0],
              sorted[rounds - 1],
              median / first));
    }
    return text.toString();
  }
}
