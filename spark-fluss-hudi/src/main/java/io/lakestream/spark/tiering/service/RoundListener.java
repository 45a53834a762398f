package io.lakestream.spark.tiering.service;

import io.lakestream.spark.tiering.RoundResult;
import io.lakestream.spark.tiering.TableStatus;

/** Hears of every round of a service. Called from the threads that run the rounds. */
public interface RoundListener {

  /**
   * A round went well.
   *
   * @param status how far the table is after it
   */
  void succeeded(String table, RoundResult result, TableStatus status);

  /** A round failed. */
  void failed(String table, Throwable failure);
}
