package io.lakestream.spark.lake;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A data instant that is not completed.
 *
 * @param instant its requested time
 * @param begun whether it is inflight; under one that is only requested nothing was written yet
 * @param metadata what it began with, empty if its writer left nothing or it has not begun
 * @param silence how long ago its writer last gave a sign of life, by the clock of the file system;
 *     empty if it never did, which no writer of ours leaves undone
 * @param alive whether that is so recent that the writer counts as alive
 */
public record PendingInstant(
    String instant,
    boolean begun,
    Map<String, String> metadata,
    Optional<Duration> silence,
    boolean alive) {
  public PendingInstant {
    metadata = Map.copyOf(metadata);
  }

  /** Whether a tiering round of ours began it. */
  public boolean isOurs() {
    return RoundMetadata.TIERING_USER.equals(metadata.get(RoundMetadata.COMMIT_USER))
        && metadata.containsKey(RoundMetadata.ROUND);
  }
}
