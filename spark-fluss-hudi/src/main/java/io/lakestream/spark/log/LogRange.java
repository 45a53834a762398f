package io.lakestream.spark.log;

import java.io.Serializable;

/**
 * The offsets {@code [start, stop)} of one bucket.
 *
 * @param partitionName Fluss's partition name for messages, or null
 */
public record LogRange(LogBucket bucket, String partitionName, long start, long stop)
    implements Serializable {
  public LogRange {
    if (start < 0 || start > stop) {
      throw new IllegalArgumentException("not a range: [" + start + ", " + stop + ")");
    }
  }

  /** How many offsets the range has, an upper bound of its records. */
  public long length() {
    return stop - start;
  }

  /** For messages: {@code partition p, bucket 3} or {@code bucket 3}. */
  public String where() {
    String prefix = partitionName == null ? "" : "partition " + partitionName + ", ";
    return prefix + "bucket " + bucket.bucket();
  }
}
