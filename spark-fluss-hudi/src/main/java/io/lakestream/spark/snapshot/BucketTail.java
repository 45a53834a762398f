package io.lakestream.spark.snapshot;

import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.types.PartitionKey;

/**
 * What one bucket's log adds to the lake: the offsets {@code [start, stop)}, which may be empty,
 * and before them, where the lake has nothing of a primary-key bucket, the rows of a key snapshot.
 *
 * @param bucket the bucket
 * @param partitionName Fluss's partition name, or null if unpartitioned
 * @param partition the typed partition values
 * @param start the tiered offset, or where the log begins if nothing was tiered
 * @param stop the exclusive end
 * @param keySnapshot the id of the key snapshot that has all changes before the start, or null
 */
public record BucketTail(
    LogBucket bucket,
    String partitionName,
    PartitionKey partition,
    long start,
    long stop,
    Long keySnapshot) {

  /** A tail without a key snapshot. */
  public BucketTail(
      LogBucket bucket, String partitionName, PartitionKey partition, long start, long stop) {
    this(bucket, partitionName, partition, start, stop, null);
  }

  /** The same offsets as a range to read. */
  public LogRange range() {
    return new LogRange(bucket, partitionName, start, stop);
  }

  /** Whether there is nothing to read. */
  public boolean isEmpty() {
    return start >= stop && keySnapshot == null;
  }

  /** An upper bound of the rows: a key snapshot has at most one for each offset before it. */
  public long mostRows() {
    return keySnapshot == null ? stop - start : stop;
  }
}
