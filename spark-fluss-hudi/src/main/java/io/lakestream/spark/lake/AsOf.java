package io.lakestream.spark.lake;

import java.time.Instant;

/** A point in a lake's history. */
public sealed interface AsOf {

  /**
   * A point as Hudi spells it.
   *
   * @param requestedTime 17 digits, {@code yyyyMMddHHmmssSSS} in the zone of the table's timeline
   */
  record RequestedTime(String requestedTime) implements AsOf {}

  /** A point on the time line of the world, whatever the zone of the table's timeline. */
  record Moment(Instant time) implements AsOf {}
}
