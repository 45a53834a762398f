package io.lakestream.spark.tiering;

import io.lakestream.spark.log.LogBucket;
import java.util.Map;
import java.util.Optional;

/**
 * What a round did.
 *
 * @param instant the requested time of the round's instant, empty if there was nothing to tier
 * @param rows how many rows the round wrote to the lake
 * @param deletes how many deletes the round wrote to the lake
 * @param offsets per bucket the exclusive end of what the lake holds after the round
 * @param recoveredInstant an earlier instant that this round reported first because its own round
 *     had not
 */
public record RoundResult(
    Optional<String> instant,
    long rows,
    long deletes,
    Map<LogBucket, Long> offsets,
    Optional<String> recoveredInstant) {
  public RoundResult {
    offsets = Map.copyOf(offsets);
  }
}
