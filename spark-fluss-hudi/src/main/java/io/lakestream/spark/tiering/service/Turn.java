package io.lakestream.spark.tiering.service;

import io.lakestream.spark.tiering.RoundResult;
import java.util.Optional;

/** One round of a table, what follows it, and who is told of its end. */
interface Turn {

  String table();

  RoundResult tier();

  Optional<String> maintain();

  /**
   * The round went well.
   *
   * @param more whether it left something
   */
  void succeeded(boolean more);

  /** The round failed. */
  void failed();

  /** Says when the table has its next turn. */
  RoundSchedule schedule();
}
