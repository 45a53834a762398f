package io.lakestream.spark.it.recovery;

/** Where in a round its process dies. */
enum KillPoint {
  /** The instant is requested; nothing else happened. */
  REQUESTED("requestInstant", true),
  /** The instant is inflight; no file was written. */
  BEFORE_FILES("beginInstant", true),
  /** All files are written; the lake does not know them. */
  AFTER_FILES("run", true),
  /** Everything is checked; the commit has not begun. */
  BEFORE_COMMIT("commit", false),
  /** The instant is complete; Fluss was not told. */
  BEFORE_REPORT("report", false),
  /** Fluss was told, and nobody heard the answer. */
  AFTER_REPORT("report", true);

  private final String call;
  private final boolean after;

  KillPoint(String call, boolean after) {
    this.call = call;
    this.after = after;
  }

  boolean isBefore(String name) {
    return !after && call.equals(name);
  }

  boolean isAfter(String name) {
    return after && call.equals(name);
  }
}
