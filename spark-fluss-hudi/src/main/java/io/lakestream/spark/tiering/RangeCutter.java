package io.lakestream.spark.tiering;

import io.lakestream.spark.log.LogRange;
import java.util.ArrayList;
import java.util.List;

/** Cuts a range of a log into consecutive pieces of about the same length. */
final class RangeCutter {
  private RangeCutter() {}

  /** Pieces of at most {@code limit} offsets that together are the range. */
  static List<LogRange> cut(LogRange range, long limit) {
    long length = range.stop() - range.start();
    long pieces = Math.max(1, length / limit + (length % limit == 0 ? 0 : 1));
    List<LogRange> result = new ArrayList<>();
    for (long piece = 0; piece < pieces; piece++) {
      long start = range.start() + piece * (length / pieces) + Math.min(piece, length % pieces);
      long stop =
          range.start() + (piece + 1) * (length / pieces) + Math.min(piece + 1, length % pieces);
      result.add(new LogRange(range.bucket(), range.partitionName(), start, stop));
    }
    return result;
  }
}
