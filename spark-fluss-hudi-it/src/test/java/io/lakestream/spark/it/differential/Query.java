package io.lakestream.spark.it.differential;

import io.lakestream.spark.it.harness.Execution;

/**
 * A query with one right answer, up to the order of its rows.
 *
 * @param text its text, in which {@code {t}} stands for the table
 * @param limit the most rows that are asked for, or {@link #UNLIMITED}; which ones is not said
 * @param execution how it is run
 */
record Query(String text, int limit, Execution execution) {
  static final int UNLIMITED = -1;

  boolean isLimited() {
    return limit != UNLIMITED;
  }

  /** The text with the limit. */
  String limitedText() {
    return isLimited() ? text + " LIMIT " + limit : text;
  }
}
