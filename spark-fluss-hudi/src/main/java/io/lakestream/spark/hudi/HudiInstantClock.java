package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.types.TablePath;
import java.time.ZoneId;
import java.util.Date;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.hudi.common.model.HoodieTimelineTimeZone;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieInstantTimeGenerator;

/**
 * Generates instants in a table's own time zone. Hudi writes instants as wall-clock text and keeps
 * the zone in a static of the JVM, so that tables of different zones must not generate at the same
 * time. Its generator also remembers the last text that it gave out, and spins until the clock has
 * passed it; from another zone that may be hours away, which is refused here. Thread-safe.
 */
final class HudiInstantClock {
  private static final Object LOCK = new Object();

  /** How far the generator may be ahead of the clock: it waits for ticks of some 100 ms. */
  private static final long TOLERANCE_MILLIS = 5_000;

  private static HoodieTimelineTimeZone currentZone;
  private static int holders;

  private HudiInstantClock() {}

  /** Runs an action in which Hudi may generate instants for the table. */
  static <T> T inZoneOf(HoodieTableMetaClient client, TablePath table, Supplier<T> action) {
    HoodieTimelineTimeZone zone = client.getTableConfig().getTimelineTimezone();
    enter(zone);
    try {
      checkGenerator(table, zone);
      return action.get();
    } catch (RuntimeException failure) {
      throw failure;
    } catch (Exception undeclared) {
      // Spark's jobs throw checked exceptions, which callers could not tell from a success.
      throw new IllegalStateException(undeclared.getMessage(), undeclared);
    } finally {
      leave();
    }
  }

  /**
   * A requested time greater than all on the timeline and greater than the given lake snapshot id.
   * Call it within {@link #inZoneOf}.
   */
  static String next(HoodieTableMetaClient client, TablePath table, OptionalLong above) {
    String greatest =
        client
            .reloadActiveTimeline()
            .getInstantsAsStream()
            .map(HoodieInstant::requestedTime)
            .max(String::compareTo)
            .orElse("");
    String instant = client.createNewInstantTime(true);
    if (instant.compareTo(greatest) <= 0) {
      throw notGrowing(client, table, instant, "the instant " + greatest + " on its timeline");
    }
    if (above.isPresent() && Long.parseLong(instant) <= above.getAsLong()) {
      throw notGrowing(
          client, table, instant, "the lake snapshot " + above.getAsLong() + " that Fluss reports");
    }
    return instant;
  }

  private static void enter(HoodieTimelineTimeZone zone) {
    synchronized (LOCK) {
      while (holders > 0 && currentZone != zone) {
        try {
          LOCK.wait();
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("interrupted while waiting for a time zone", interrupted);
        }
      }
      currentZone = zone;
      holders++;
      HoodieInstantTimeGenerator.setCommitTimeZone(zone);
    }
  }

  private static void leave() {
    synchronized (LOCK) {
      holders--;
      LOCK.notifyAll();
    }
  }

  private static void checkGenerator(TablePath table, HoodieTimelineTimeZone zone) {
    String last = HoodieInstantTimeGenerator.getLastInstantTime();
    String bound =
        HoodieInstantTimeGenerator.formatDateBasedOnTimeZone(
            new Date(System.currentTimeMillis() + TOLERANCE_MILLIS));
    if (HoodieInstantTimeGenerator.isValidInstantTime(last) && last.compareTo(bound) > 0) {
      throw LakestreamException.of(
          ErrorCode.TIERING_FAILED,
          table,
          "this JVM has given out the Hudi instant "
              + last
              + ", which lies after now ("
              + bound
              + ") in the table's timeline zone "
              + zone
              + "; the JVM's zone is "
              + ZoneId.systemDefault()
              + ".",
          "Tier tables of different timeline zones from different Spark applications.");
    }
  }

  private static LakestreamException notGrowing(
      HoodieTableMetaClient client, TablePath table, String instant, String other) {
    return LakestreamException.of(
        ErrorCode.TIERING_FAILED,
        table,
        "the new instant "
            + instant
            + " is not greater than "
            + other
            + ". The timeline's zone is "
            + client.getTableConfig().getTimelineTimezone()
            + ", this JVM's zone is "
            + ZoneId.systemDefault()
            + ".",
        "Set the clock and the zone as they were for the earlier instant, or wait until then.");
  }
}
