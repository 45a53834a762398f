package io.lakestream.spark.it.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds a part of a failing list that still fails: leaves out halves, then quarters and so on, and
 * goes on with what fails (delta debugging), for as many attempts as it is given.
 */
final class Shrinker<T> {
  private final Predicate<List<T>> fails;
  private int attempts;

  Shrinker(Predicate<List<T>> fails, int attempts) {
    this.fails = fails;
    this.attempts = attempts;
  }

  /**
   * A part of {@code failing}, in its order, that fails too. If there were attempts enough, it does
   * not fail any more without any one of its items.
   */
  List<T> shrink(List<T> failing) {
    List<T> shortest = failing;
    int chunk = Math.max(1, shortest.size() / 2);
    while (attempts > 0 && !shortest.isEmpty()) {
      List<T> shorter = withoutChunks(shortest, chunk);
      boolean isShorter = shorter.size() < shortest.size();
      shortest = shorter;
      if (chunk == 1 && !isShorter) {
        break;
      }
      chunk = Math.min(Math.max(1, chunk / 2), Math.max(1, shortest.size() / 2));
    }
    return shortest;
  }

  /** Leaves out, from the end on, each chunk without which the rest still fails. */
  private List<T> withoutChunks(List<T> failing, int chunk) {
    List<T> rest = failing;
    for (int end = rest.size(); end > 0 && attempts > 0; end -= chunk) {
      List<T> candidate = new ArrayList<>(rest.subList(0, Math.max(0, end - chunk)));
      candidate.addAll(rest.subList(end, rest.size()));
      attempts--;
      if (fails.test(candidate)) {
        rest = candidate;
      }
    }
    return rest;
  }
}
