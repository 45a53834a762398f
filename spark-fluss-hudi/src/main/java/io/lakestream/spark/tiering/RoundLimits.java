package io.lakestream.spark.tiering;

/**
 * How much work a round and its tasks take at once. What is beyond waits for the next round.
 *
 * @param bucketOffsets the most offsets of one bucket that one round takes
 * @param taskOffsets the most offsets of one log-table bucket that one task takes; a longer range
 *     is written by several tasks, each into a file group of its own
 * @param foldBytes the bytes of changed rows that a task of a primary-key table holds in memory
 *     before it goes on on local disk
 */
public record RoundLimits(long bucketOffsets, long taskOffsets, long foldBytes) {
  public static final RoundLimits DEFAULT = new RoundLimits(10_000_000, 1_000_000, 256L << 20);

  public RoundLimits {
    if (bucketOffsets < 1 || taskOffsets < 1 || foldBytes < 1) {
      throw new IllegalArgumentException("limits are positive numbers");
    }
  }
}
