package io.lakestream.spark.it.concurrency;

import java.util.Collection;

/**
 * Tells multisets of rows {@code (id, v)} apart, whatever their order.
 *
 * @param rows how many
 * @param sum the sum of a mix of each row
 */
record Digest(long rows, long sum) {

  /** A row of the tables of these tests. */
  record Pair(int id, long v) {}

  static Digest of(Collection<Pair> rows) {
    long sum = 0;
    for (Pair row : rows) {
      sum += mixed(row.id() * 0x9E3779B97F4A7C15L + mixed(row.v()));
    }
    return new Digest(rows.size(), sum);
  }

  /** Spreads every bit of a number over all bits. */
  private static long mixed(long value) {
    long mixed = value;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
