package io.lakestream.spark.tiering.service;

import io.lakestream.spark.tiering.RoundResult;
import io.lakestream.spark.tiering.TableOwner;
import io.lakestream.spark.tiering.TableStatus;
import java.util.Optional;

/** What a service needs to be told and to have done. Thread-safe. */
public interface TieredTables {

  /** The tables that there are now. */
  TableListing list();

  /** Asks for a listed table that its cluster gives out; empty if none is waiting. */
  Optional<LeasedTable> lease();

  /**
   * Runs one round of a table.
   *
   * @param owner by what right
   */
  RoundResult tier(String table, TableOwner owner);

  /**
   * Does the housekeeping of a table's lake that is due after a round.
   *
   * @param owner by what right
   * @return what was done, in words, empty if nothing was due
   */
  Optional<String> maintain(String table, TableOwner owner);

  /** How far a table is. */
  TableStatus status(String table);
}
