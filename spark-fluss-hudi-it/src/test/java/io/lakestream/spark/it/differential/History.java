package io.lakestream.spark.it.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A table and what happens to it.
 *
 * @param shape the table
 * @param steps what happens, in order
 */
record History(TableShape shape, List<Step> steps) {
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  static History draw(long seed) {
    // The first numbers of generators with neighbouring seeds are alike.
    Random random = new Random(seed * SPREAD);
    TableShape shape = new RandomShapes(random).draw();
    return new History(shape, new RandomSteps(random, shape).draw());
  }

  History with(List<Step> others) {
    return new History(shape, others);
  }

  /** The history up to a step and with it. */
  History upTo(int step) {
    return with(steps.subList(0, step + 1));
  }

  /** The same with writes of one row each. */
  History rowByRow() {
    List<Step> single = new ArrayList<>();
    for (Step step : steps) {
      single.addAll(step instanceof Step.Write write ? write.rowByRow() : List.of(step));
    }
    return with(single);
  }
}
