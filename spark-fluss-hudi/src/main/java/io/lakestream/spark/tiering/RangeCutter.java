package io.lakestream.spark.tiering;

import io.lakestream.spark.log.LogRange;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the ranges of a round into pieces for its tasks, so that one long bucket keeps all cores
 * busy, and short ones do not become many small files.
 *
 * @param mostOffsets what a piece has at most
 * @param aim the length that pieces shall have about
 */
record RangeCutter(long mostOffsets, long aim) {
  /** Pieces are not cut below this to keep cores busy: each is a file of the lake. */
  static final long FEWEST_OFFSETS = 100_000;

  /**
   * A cutter for ranges whose lengths are {@code total} together.
   *
   * @param parallelism how many tasks run at once
   */
  static RangeCutter of(long mostOffsets, long total, int parallelism) {
    long share = total / parallelism + (total % parallelism == 0 ? 0 : 1);
    return new RangeCutter(mostOffsets, Math.max(FEWEST_OFFSETS, share));
  }

  /** Consecutive pieces of about the same length that together are the range. */
  List<LogRange> cut(LogRange range) {
    long length = range.length();
    long necessary = length / mostOffsets + (length % mostOffsets == 0 ? 0 : 1);
    // Rounded, so that buckets of nearly the same length are a piece each.
    long busy = Math.round((double) length / aim);
    long pieces = Math.max(1, Math.max(necessary, busy));
    List<LogRange> result = new ArrayList<>();
    long start = range.start();
    for (long piece = 0; piece < pieces; piece++) {
      long stop = start + length / pieces + (piece < length % pieces ? 1 : 0);
      result.add(new LogRange(range.bucket(), range.partitionName(), start, stop));
      start = stop;
    }
    return result;
  }
}
