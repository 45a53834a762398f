package io.lakestream.spark.catalog;

import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.tiering.TieringProperties;
import java.time.Duration;
import java.util.Optional;

/** What whoever creates a table should know of the time for which its log keeps rows. */
final class LogRetention {
  private LogRetention() {}

  /**
   * A warning about a table that has a lake, if its cluster deletes rows whether they are in the
   * lake or not: Fluss holds them back only for tables whose tiering the cluster schedules.
   */
  static Optional<String> warning(LogTable table, boolean hasLake, Optional<Duration> timeToLive) {
    if (!hasLake || TieringProperties.isScheduledByCluster(table)) {
      return Optional.empty();
    }
    return timeToLive.map(
        keeps ->
            table.path()
                + ": Fluss deletes rows that are older than 'table.log.ttl' ("
                + keeps.toSeconds()
                + " s), whether they are in the lake or not. Tier the table at least every "
                + keeps.dividedBy(2).toSeconds()
                + " s.");
  }
}
