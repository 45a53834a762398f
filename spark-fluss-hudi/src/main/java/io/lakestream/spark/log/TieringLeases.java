package io.lakestream.spark.log;

import java.util.Optional;

/**
 * Which tables with {@code table.datalake.enabled=true} this service may tier: the coordinator of a
 * cluster gives each to one service at a time, whenever its freshness asks for a round, and takes
 * it back if the service is silent for two minutes. Thread-safe. Errors as in {@link LogCluster};
 * those of a lease are {@code TIERING_CONFLICT} if it is void.
 */
public interface TieringLeases {

  /** Asks for a table; empty if none is waiting. */
  Optional<TieringLease> request();

  /** Gives a sign of life, and so learns whether the lease still holds. */
  void renew(TieringLease lease);

  /**
   * Gives a table back after its round.
   *
   * @param more whether the round left something, so that the table shall be given out at once
   *     instead of when its freshness asks for it
   */
  void finish(TieringLease lease, boolean more);

  /** Gives a table back that was not tiered; the coordinator gives it out again at once. */
  void giveBack(TieringLease lease);
}
