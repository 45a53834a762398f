package io.lakestream.spark.options;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.network.util.ByteUnit;
import org.apache.spark.network.util.JavaUtils;

/**
 * How an option's text becomes a value.
 *
 * @param range the valid values, for messages and documentation
 * @param parser gives the value or throws {@link IllegalArgumentException}
 */
record ValueType<T>(String range, Function<String, T> parser) {

  static ValueType<String> text(String range) {
    return new ValueType<>(
        range,
        value -> {
          if (value.isBlank()) {
            throw new IllegalArgumentException("blank");
          }
          return value.trim();
        });
  }

  static ValueType<Boolean> bool() {
    return new ValueType<>(
        "`true` or `false`",
        value ->
            switch (value.trim().toLowerCase(Locale.ROOT)) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException(value);
            });
  }

  static ValueType<Long> number(long min, long max) {
    String upper = max == Long.MAX_VALUE ? "" : " to " + max;
    return new ValueType<>(
        "a whole number, " + min + (upper.isEmpty() ? " or more" : upper),
        value -> within(Long.parseLong(value.trim()), min, max));
  }

  static ValueType<Long> bytes(long min) {
    return new ValueType<>(
        "a size such as `128m`, at least " + min + " bytes",
        value -> within(JavaUtils.byteStringAs(value.trim(), ByteUnit.BYTE), min, Long.MAX_VALUE));
  }

  static ValueType<Duration> duration(Duration min) {
    return new ValueType<>(
        "a duration such as `10s` or `2min`, at least " + min.toMillis() + "ms",
        value ->
            Duration.ofMillis(
                within(JavaUtils.timeStringAsMs(value.trim()), min.toMillis(), Long.MAX_VALUE)));
  }

  static <E extends Enum<E>> ValueType<E> choice(Class<E> type) {
    String names =
        Arrays.stream(type.getEnumConstants())
            .map(constant -> "`" + constant.name().toLowerCase(Locale.ROOT) + "`")
            .collect(Collectors.joining(", "));
    return new ValueType<>(
        "one of " + names, value -> Enum.valueOf(type, value.trim().toUpperCase(Locale.ROOT)));
  }

  private static long within(long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(Long.toString(value));
    }
    return value;
  }
}
