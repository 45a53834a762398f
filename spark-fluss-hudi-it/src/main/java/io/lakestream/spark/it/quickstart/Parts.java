package io.lakestream.spark.it.quickstart;

import java.io.Serializable;

/**
 * The parts {@code first} to {@code last} of TPC-H data that is cut into {@code count} parts.
 *
 * @param first the first part, from 1
 * @param last the last part, inclusive
 * @param count how many parts the whole has; the rows of the whole do not depend on it
 */
record Parts(int first, int last, int count) implements Serializable {
  Parts {
    if (first < 1 || first > last || last > count) {
      throw new IllegalArgumentException(
          "parts " + first + " to " + last + " are not among 1 to " + count);
    }
  }

  static Parts all(int count) {
    return new Parts(1, count, count);
  }
}
