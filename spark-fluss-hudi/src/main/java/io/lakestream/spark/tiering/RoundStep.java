package io.lakestream.spark.tiering;

/** The steps of a round, in their order. */
public enum RoundStep {
  RECOVER,
  REQUEST,
  FREEZE,
  PREPARE,
  WRITE,
  CHECK,
  COMMIT,
  REPORT
}
