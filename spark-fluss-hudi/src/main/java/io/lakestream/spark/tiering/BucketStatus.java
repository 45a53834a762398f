package io.lakestream.spark.tiering;

import io.lakestream.spark.log.LogBucket;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far the tiering of one bucket is.
 *
 * @param bucket the bucket
 * @param partition Fluss's name of its partition, or null
 * @param logStart the first offset that the log still has
 * @param tieredOffset the exclusive end of what the lake holds, as Fluss knows it
 * @param logEnd the exclusive end of the log
 * @param oldestUntiered the log's timestamp of the first record that is not in the lake, empty if
 *     there is none
 * @param age how old that record is
 * @param headroom how long it will stay in the log, negative if it may be gone any moment; empty if
 *     there is no such record or the log keeps records for ever
 */
public record BucketStatus(
    LogBucket bucket,
    String partition,
    long logStart,
    long tieredOffset,
    long logEnd,
    Optional<Instant> oldestUntiered,
    Optional<Duration> age,
    Optional<Duration> headroom) {

  /** How many offsets are not in the lake. */
  public long lag() {
    return Math.max(0, logEnd - tieredOffset);
  }

  /** How many of those the log has lost already. */
  public long lost() {
    return Math.max(0, Math.min(logStart, logEnd) - tieredOffset);
  }
}
