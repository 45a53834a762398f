package io.lakestream.spark.log;

import java.io.Serializable;
import java.util.Comparator;

/**
 * One bucket of a table's log.
 *
 * @param partitionId Fluss's partition id, or null for an unpartitioned table
 * @param bucket the bucket number, from 0
 */
public record LogBucket(Long partitionId, int bucket)
    implements Serializable, Comparable<LogBucket> {
  private static final Comparator<LogBucket> ORDER =
      Comparator.comparing(LogBucket::partitionId, Comparator.nullsFirst(Long::compare))
          .thenComparingInt(LogBucket::bucket);

  @Override
  public int compareTo(LogBucket other) {
    return ORDER.compare(this, other);
  }
}
