package io.lakestream.spark.tiering.service;

import io.lakestream.spark.tiering.RoundResult;
import io.lakestream.spark.tiering.TableStatus;
import java.util.Optional;

/** What a service needs to be told and to have done. Thread-safe. */
public interface TieredTables {

  /** The tables that there are now. */
  TableListing list();

  /** Asks for a listed table that its cluster gives out; empty if none is waiting. */
  Optional<LeasedTable> lease();

  /** Runs one round of a table that is the service's to schedule. */
  RoundResult tier(String table);

  /**
   * Does the housekeeping of a table's lake that is due after a round.
   *
   * @return what was done, in words, empty if nothing was due
   */
  Optional<String> maintain(String table);

  /** How far a table is. */
  TableStatus status(String table);
}
