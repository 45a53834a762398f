package io.lakestream.spark.tiering;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogTable;

/** By what right rounds tier a table. It is asked before a round begins and before it commits. */
public interface TableOwner {

  /** For tables that the cluster leaves to whoever wants to tier them. */
  TableOwner NOBODY =
      table -> {
        if (TieringProperties.isScheduledByCluster(table)) {
          throw LakestreamException.of(
              ErrorCode.TIERING_REFUSED,
              table.path(),
              TieringProperties.ENABLED
                  + "=true, so the cluster says when the table is tiered, and by whom.",
              "Run the tiering service, which takes such tables from the cluster if they are for"
                  + " Hudi, or set "
                  + TieringProperties.ENABLED
                  + "=false to tier the table at will.");
        }
      };

  /**
   * Checks that the table may be tiered now.
   *
   * @throws LakestreamException {@code TIERING_REFUSED} if it is not for this job, {@code
   *     TIERING_CONFLICT} if it no longer is, {@code TABLE_REPLACED} if it is another table
   */
  void check(LogTable table);
}
