package io.lakestream.spark.tiering;

import io.lakestream.spark.types.TablePath;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How far the tiering of a table is.
 *
 * @param table the table
 * @param tableId Fluss's id of it
 * @param lakeInstant the lake snapshot that readers use, empty if nothing was ever tiered
 * @param timeToLive how long the log keeps records, empty if for ever
 * @param buckets every bucket of every partition that exists now
 */
public record TableStatus(
    TablePath table,
    long tableId,
    Optional<String> lakeInstant,
    Optional<Duration> timeToLive,
    List<BucketStatus> buckets) {
  public TableStatus {
    buckets = List.copyOf(buckets);
  }

  /** How many offsets are not in the lake. */
  public long lag() {
    return buckets.stream().mapToLong(BucketStatus::lag).sum();
  }

  /** How old the oldest record is that is not in the lake. */
  public Optional<Duration> age() {
    return buckets.stream().flatMap(bucket -> bucket.age().stream()).max(Comparator.naturalOrder());
  }

  /**
   * What an operator should hear of: that records which are not in the lake have used up more than
   * half of the time that the log keeps them. Fluss 0.9 deletes them then, tiered or not.
   */
  public Optional<String> warning() {
    if (age().isEmpty() || timeToLive().isEmpty()) {
      return Optional.empty();
    }
    Duration age = age().get();
    Duration keeps = timeToLive().get();
    return age.multipliedBy(2).compareTo(keeps) <= 0
        ? Optional.empty()
        : Optional.of(
            table
                + ": records that are not in the lake are "
                + age.toSeconds()
                + " s old, more than half of 'table.log.ttl' ("
                + keeps.toSeconds()
                + " s), after which Fluss deletes them. Tier more often or raise the TTL.");
  }
}
