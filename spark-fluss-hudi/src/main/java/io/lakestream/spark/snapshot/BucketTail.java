package io.lakestream.spark.snapshot;

import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.types.PartitionKey;

/**
 * What one bucket's log adds to the lake: the offsets {@code [start, stop)}, which may be empty.
 *
 * @param bucket the bucket
 * @param partitionName Fluss's partition name, or null if unpartitioned
 * @param partition the typed partition values
 * @param start the tiered offset, or where the log begins if nothing was tiered
 * @param stop the exclusive end
 */
public record BucketTail(
    LogBucket bucket, String partitionName, PartitionKey partition, long start, long stop) {

  /** The same offsets as a range to read. */
  public LogRange range() {
    return new LogRange(bucket, partitionName, start, stop);
  }

  public boolean isEmpty() {
    return start >= stop;
  }
}
