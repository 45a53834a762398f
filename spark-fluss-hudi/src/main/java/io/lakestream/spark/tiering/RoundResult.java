package io.lakestream.spark.tiering;

import io.lakestream.spark.log.LogBucket;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What a round did.
 *
 * @param instant the requested time of the round's instant, empty if there was nothing to tier
 * @param rows how many rows the round wrote to the lake
 * @param deletes how many deletes the round wrote to the lake
 * @param bytes the size of the files that the round wrote
 * @param offsets per bucket the exclusive end of what the lake holds after the round
 * @param waiting how many offsets were in the log already but exceed what one round takes; the next
 *     round goes on with them
 * @param recoveredInstant an earlier instant that this round reported first because its own round
 *     had not
 * @param durations how long each step took that the round came to
 */
public record RoundResult(
    Optional<String> instant,
    long rows,
    long deletes,
    long bytes,
    Map<LogBucket, Long> offsets,
    long waiting,
    Optional<String> recoveredInstant,
    Map<RoundStep, Duration> durations) {
  public RoundResult {
    offsets = Map.copyOf(offsets);
    durations = Map.copyOf(durations);
  }
}
