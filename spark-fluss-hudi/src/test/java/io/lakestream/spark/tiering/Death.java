package io.lakestream.spark.tiering;

/** The end of a process in the middle of a round: nothing catches it, nothing cleans up. */
final class Death extends Error {
  private static final long serialVersionUID = 1;

  Death(String where) {
    super(where);
  }
}
