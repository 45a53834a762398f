package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.types.TablePath;
import java.io.IOException;

/** Takes scheduled table services for one job, so that no two jobs run one of them at once. */
final class TableServiceClaim {
  private final TablePath table;
  private final String path;
  private final HudiHeartbeats heartbeats;

  TableServiceClaim(TablePath table, String path, HudiHeartbeats heartbeats) {
    this.table = table;
    this.path = path;
    this.heartbeats = heartbeats;
  }

  /**
   * Takes an instant, and gives signs of life for it until {@link #release}. It may be pending no
   * longer by then, so look again.
   *
   * @param service for messages, {@code compaction} or {@code clustering}
   * @param inflight whether somebody has begun it
   * @throws LakestreamException {@code TIERING_CONFLICT} if somebody else has it
   */
  void take(String service, String instant, boolean inflight) {
    try {
      // Hudi's own table services give no signs of life, so one that has begun may be running.
      if (inflight && heartbeats.silence(instant).isEmpty()) {
        throw LakestreamException.of(
            ErrorCode.TIERING_CONFLICT,
            table,
            "the " + service + " " + instant + " at " + path + " was begun by another writer.",
            "Wait until it has finished, or run it with Hudi's own tools if its writer is gone.");
      }
      if (!heartbeats.takeOver(instant)) {
        throw LakestreamException.of(
            ErrorCode.TIERING_CONFLICT,
            table,
            "the " + service + " " + instant + " at " + path + " is being run by another job.",
            "Wait until it has finished; run one " + service + " at a time.");
      }
    } catch (IOException failure) {
      throw LakestreamException.of(
          ErrorCode.LAKE_UNREADABLE,
          table,
          "the "
              + service
              + " "
              + instant
              + " at "
              + path
              + " cannot be claimed: "
              + failure.getMessage()
              + ".",
          "Check the path and its file system.",
          failure);
    }
  }

  /** Gives an instant back that is no longer pending. */
  void release(String instant) {
    heartbeats.end(instant);
  }
}
