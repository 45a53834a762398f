package io.lakestream.spark.tiering.service;

import java.time.Duration;

/**
 * How often a table is tiered.
 *
 * @param freshness from the begin of one round to the begin of the next
 * @param firstRetry how long to wait after a first failed round; doubled with each further one
 * @param lastRetry the longest such wait
 */
public record Pace(Duration freshness, Duration firstRetry, Duration lastRetry) {
  public Pace {
    if (freshness.isNegative() || firstRetry.isNegative() || lastRetry.compareTo(firstRetry) < 0) {
      throw new IllegalArgumentException("not a pace: " + freshness + ", " + firstRetry);
    }
  }
}
