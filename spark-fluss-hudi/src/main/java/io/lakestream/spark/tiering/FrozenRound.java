package io.lakestream.spark.tiering;

import io.lakestream.spark.lake.LakeBucket;
import io.lakestream.spark.log.LakeSnapshot;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.log.LogTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything a round has decided before it writes: nothing of it changes later.
 *
 * @param table the table, with the id that the round belongs to
 * @param reported what the cluster knew of the lake
 * @param newestDataInstant the newest completed data instant of the lake
 * @param ranges the ranges to read, one for each bucket that moved
 * @param offsets per bucket the exclusive end of what the lake will hold
 * @param waiting how many offsets the logs have beyond the ranges
 */
record FrozenRound(
    LogTable table,
    Optional<LakeSnapshot> reported,
    Optional<String> newestDataInstant,
    List<BucketRange> ranges,
    Map<LogBucket, Long> offsets,
    long waiting) {
  FrozenRound {
    ranges = List.copyOf(ranges);
    offsets = Map.copyOf(offsets);
  }

  boolean moved() {
    return !ranges.isEmpty();
  }

  /**
   * The ranges, those of log tables cut into pieces of at most {@code taskOffsets} offsets, or
   * fewer to keep as many tasks busy as run at once.
   */
  List<BucketRange> pieces(long taskOffsets, int parallelism) {
    if (table.hasPrimaryKey()) {
      return ranges;
    }
    long total = ranges.stream().mapToLong(whole -> whole.range().length()).sum();
    RangeCutter cutter = RangeCutter.of(taskOffsets, total, parallelism);
    return ranges.stream()
        .flatMap(
            whole ->
                cutter.cut(whole.range()).stream()
                    .map(piece -> new BucketRange(piece, whole.target())))
        .toList();
  }

  /** A range of the log and the bucket of the lake in which its rows belong. */
  record BucketRange(LogRange range, LakeBucket target) {}
}
