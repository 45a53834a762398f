package io.lakestream.spark.tiering.service;

import io.lakestream.spark.tiering.RoundResult;
import java.util.Optional;

/** A table that its cluster has given to this service for one round. Thread-safe. */
public interface LeasedTable {

  String name();

  /** Runs the round. */
  RoundResult tier();

  /** As {@link TieredTables#maintain}. */
  Optional<String> maintain();

  /** Gives a sign of life, without which the cluster takes the table back. */
  void renew();

  /**
   * Gives the table back after its round.
   *
   * @param more whether the round left something, so that the cluster shall give it out at once
   */
  void finish(boolean more);

  /** Gives the table back that was not tiered. */
  void giveBack();
}
