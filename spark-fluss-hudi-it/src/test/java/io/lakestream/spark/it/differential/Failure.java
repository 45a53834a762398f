package io.lakestream.spark.it.differential;

import java.util.List;
import java.util.stream.Collectors;
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
    List<Throwable> causes = ExceptionUtils.getThrowableList(thrown);
    String message = causes.stream().map(Throwable::toString).collect(Collectors.joining("\n"));
    return new Failure(step, causes.get(causes.size() - 1).getClass().getName(), message, thrown);
  }
}
