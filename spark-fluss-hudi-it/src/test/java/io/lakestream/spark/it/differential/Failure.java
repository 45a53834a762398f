package io.lakestream.spark.it.differential;

import org.apache.commons.lang3.exception.ExceptionUtils;

/**
 * A step after which something was wrong.
 *
 * @param step its number, from zero on
 * @param kind what was wrong, without particulars: shrinking must not find another fault
 * @param message what was wrong
 * @param cause what was thrown, or null
 */
record Failure(int step, String kind, String message, Throwable cause) {
  static Failure wrong(int step, String kind, String message) {
    return new Failure(step, kind, message, null);
  }

  static Failure thrown(int step, Throwable thrown) {
    Throwable root = ExceptionUtils.getRootCause(thrown);
    return new Failure(
        step, root.getClass().getName(), ExceptionUtils.getStackTrace(thrown), thrown);
  }
}
