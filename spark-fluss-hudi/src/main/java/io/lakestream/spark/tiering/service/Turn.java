package io.lakestream.spark.tiering.service;

import io.lakestream.spark.tiering.TableOwner;

/** A table for one round, and who is told of the round's end. */
interface Turn {

  String table();

  /** By what right the table is tiered. */
  TableOwner owner();

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
