package io.lakestream.spark.hudi;

import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.LogicalType.Scalar;
import java.util.ArrayList;
import java.util.List;

/** Reads the SQL spelling of a declared type, as {@code LogicalType.toString} writes it. */
final class DeclaredTypes {
  private static final String NOT_NULL = " NOT NULL";

  private DeclaredTypes() {}

  static LogicalType parse(String text) {
    if (text.endsWith(NOT_NULL)) {
      return parse(text.substring(0, text.length() - NOT_NULL.length())).withNullable(false);
    }
    int angle = text.indexOf('<');
    if (angle >= 0) {
      List<String> parts = split(text.substring(angle + 1, text.length() - 1));
      return switch (text.substring(0, angle)) {
        case "ARRAY" -> new LogicalType.Array(parse(parts.get(0)), true);
        case "MAP" ->
            new LogicalType.Map(parse(parts.get(0)).withNullable(false), parse(parts.get(1)), true);
        case "ROW" ->
            new LogicalType.Row(
                parts.stream()
                    .map(part -> part.split(" ", 2))
                    .map(field -> new LogicalType.Field(field[0], parse(field[1])))
                    .toList(),
                true);
        default -> throw new IllegalArgumentException(text);
      };
    }
    int paren = text.indexOf('(');
    String name = paren < 0 ? text : text.substring(0, paren);
    Kind kind = name.equals("INT") ? Kind.INTEGER : Kind.valueOf(name);
    if (paren < 0) {
      return LogicalType.of(kind);
    }
    List<String> arguments = split(text.substring(paren + 1, text.length() - 1));
    return new Scalar(
        kind,
        Integer.parseInt(arguments.get(0)),
        arguments.size() > 1 ? Integer.parseInt(arguments.get(1)) : 0,
        true);
  }

  /** Splits at the commas that lie outside brackets. */
  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '<' || c == '(') {
        depth++;
      } else if (c == '>' || c == ')') {
        depth--;
      } else if (c == ',' && depth == 0) {
        parts.add(text.substring(from, i).trim());
        from = i + 1;
      }
    }
    parts.add(text.substring(from).trim());
    return parts;
  }
}
