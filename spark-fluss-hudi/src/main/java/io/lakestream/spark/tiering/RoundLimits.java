package io.lakestream.spark.tiering;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;

/**
 * How much work a round and its tasks take at once. What is beyond waits for the next round. All
 * are at least 1.
 *
 * @param bucketOffsets the most offsets of one bucket that one round takes
 * @param taskOffsets the most offsets of one log-table bucket that one task takes; a longer range
 *     is written by several tasks, each into a file group of its own
 * @param foldBytes the bytes of changed rows that a task of a primary-key table holds in memory
 *     before it goes on on local disk
 */
public record RoundLimits(long bucketOffsets, long taskOffsets, long foldBytes) {
  public static final RoundLimits DEFAULT = new RoundLimits(10_000_000, 1_000_000, 256L << 20);

  /**
   * Makes limits.
   *
   * @throws LakestreamException {@code INVALID_OPTION} if one is less than 1
   */
  public RoundLimits {
    requirePositive("bucketOffsets", bucketOffsets);
    requirePositive("taskOffsets", taskOffsets);
    requirePositive("foldBytes", foldBytes);
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw LakestreamException.of(
          ErrorCode.INVALID_OPTION,
          "limits of a tiering round",
          name + " is " + value + ".",
          "Give a whole number from 1 to " + Long.MAX_VALUE + ".");
    }
  }
}
