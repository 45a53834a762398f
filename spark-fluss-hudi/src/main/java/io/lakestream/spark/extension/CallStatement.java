package io.lakestream.spark.extension;

import java.util.List;

/**
 * A {@code CALL}, taken apart.
 *
 * @param catalog the first part of the procedure's name
 * @param procedure the other parts, joined by dots
 * @param arguments as they were given
 */
record CallStatement(String catalog, String procedure, List<Argument> arguments) {
  CallStatement {
    arguments = List.copyOf(arguments);
  }

  /**
   * An argument.
   *
   * @param name its name in lower case, or null if it was given by position
   * @param value a literal's value
   */
  record Argument(String name, String value) {}

  /** For messages: {@code lake.system.tier}. */
  String name() {
    return catalog + "." + procedure;
  }
}
