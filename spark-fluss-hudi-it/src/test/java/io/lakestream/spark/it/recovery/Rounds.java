package io.lakestream.spark.it.recovery;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.it.harness.TestTable;
import java.time.Duration;

/** Rounds that come after one that died. */
final class Rounds {
  private Rounds() {}

  /** Runs a round as soon as the dead one counts as dead; until then every try is a conflict. */
  static void tierAfterDeath(TestTable table, Duration heartbeatTimeout) {
    long deadline = System.nanoTime() + heartbeatTimeout.multipliedBy(20).toNanos();
    while (true) {
      try {
        table.tier();
        return;
      } catch (LakestreamException conflict) {
        if (conflict.code() != ErrorCode.TIERING_CONFLICT || System.nanoTime() > deadline) {
          throw conflict;
        }
      }
    }
  }
}
