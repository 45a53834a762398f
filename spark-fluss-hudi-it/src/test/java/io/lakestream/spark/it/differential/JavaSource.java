package io.lakestream.spark.it.differential;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;

/** Values as Java spells them. */
final class JavaSource {
  private JavaSource() {}

  static String of(Object value) {
    if (value instanceof Row row) {
      return "row(" + arguments(IntStream.range(0, row.size()).mapToObj(row::get)) + ")";
    } else if (value instanceof List<?> items) {
      return "Arrays.asList(" + arguments(items.stream()) + ")";
    } else if (value instanceof Map<?, ?> map) {
      return map(new TreeMap<>(map));
    } else if (value instanceof byte[] bytes) {
      return "new byte[] " + Arrays.toString(bytes).replace('[', '{').replace(']', '}');
    } else if (value instanceof String text) {
      return quoted(text);
    } else if (value instanceof Byte || value instanceof Short) {
      return "(" + (value instanceof Byte ? "byte" : "short") + ") " + value;
    } else if (value instanceof Long number) {
      return number + "L";
    } else if (value instanceof Float number) {
      return "Float.parseFloat(\"" + number + "\")";
    } else if (value instanceof Double number) {
      return "Double.parseDouble(\"" + number + "\")";
    } else if (value instanceof BigDecimal) {
      return "new BigDecimal(\"" + value + "\")";
    } else if (value instanceof LocalDate
        || value instanceof LocalDateTime
        || value instanceof Instant) {
      return value.getClass().getSimpleName() + ".parse(\"" + value + "\")";
    }
    return String.valueOf(value);
  }

  static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  static String quoted(List<String> texts) {
    return texts.stream().map(JavaSource::quoted).collect(Collectors.joining(", "));
  }

  /** {@code Map.of} takes no nulls. */
  private static String map(Map<?, ?> map) {
    if (map.containsValue(null) && map.size() == 1) {
      return "Collections.singletonMap(" + of(map.keySet().iterator().next()) + ", null)";
    }
    Stream<String> entries =
        map.entrySet().stream().map(entry -> of(entry.getKey()) + ", " + of(entry.getValue()));
    String kind = map.containsValue(null) ? "mapWithNulls(" : "Map.of(";
    return entries.collect(Collectors.joining(", ", kind, ")"));
  }

  private static String arguments(Stream<?> values) {
    return values.map(JavaSource::of).collect(Collectors.joining(", "));
  }
}
