package io.lakestream.spark.types;

import io.lakestream.spark.types.LogicalType.Kind;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * How Fluss spells a partition value in a partition's name, and so does the lake that it tiers to.
 * A name may hold only letters, digits, {@code _} and {@code -}; therefore a decimal point is
 * {@code _} and the parts of dates and times are joined by {@code -}:
 *
 * <ul>
 *   <li>CHAR, STRING, BOOLEAN and integers as they are; BINARY and BYTES in lower-case hex
 *   <li>DATE {@code 2024-02-29}, TIME {@code 23-59-59_987}
 *   <li>FLOAT and DOUBLE as Java prints them, {@code 1_5E-7}, {@code NaN}, {@code Inf}, {@code
 *       -Inf}
 *   <li>both timestamps in UTC, {@code 2024-02-29-23-59-59_987654}, without trailing zeros of the
 *       fraction: {@code 2024-02-29-00-00-00_}
 * </ul>
 *
 * <p>Values are in Spark's internal representation, see {@link PartitionKey}.
 */
public final class PartitionValues {
  private static final Pattern TIMESTAMP =
      Pattern.compile("(\\d+-\\d+-\\d+)(?:-(\\d+)-(\\d+)-(\\d+)(?:_(\\d{0,9}))?)?");
  private static final Pattern TIME = Pattern.compile("(\\d+)-(\\d+)-(\\d+)_(\\d+)");
  private static final Pattern DATE = Pattern.compile("(\\d+)-(\\d+)-(\\d+)");
  private static final Pattern HEX = Pattern.compile("([0-9a-fA-F]{2})*");
  private static final int NANO_DIGITS = 9;
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final int NANOS_PER_MICRO = 1000;
  private static final int NANOS_PER_MILLI = 1_000_000;

  private PartitionValues() {}

  /**
   * The value that a spelling stands for. Digits of a second beyond the sixth are cut.
   *
   * @throws IllegalArgumentException if it is no spelling of the type, or the type cannot be a
   *     partition column
   */
  public static Object parse(String spelling, LogicalType type) {
    try {
      return switch (kind(type)) {
        case CHAR, STRING -> UTF8String.fromString(spelling);
        case BOOLEAN -> parseBoolean(spelling);
        case TINYINT -> Byte.valueOf(spelling);
        case SMALLINT -> Short.valueOf(spelling);
        case INTEGER -> Integer.valueOf(spelling);
        case BIGINT -> Long.valueOf(spelling);
        case FLOAT -> Float.valueOf(point(spelling));
        case DOUBLE -> Double.valueOf(point(spelling));
        case BINARY, BYTES -> parseHex(spelling);
        case DATE -> Math.toIntExact(parseDate(spelling).toEpochDay());
        case TIME -> parseTime(spelling);
        case TIMESTAMP, TIMESTAMP_LTZ -> parseTimestamp(spelling);
        case DECIMAL -> throw notAPartitionType(type);
      };
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      throw noSpelling(spelling, type, e);
    }
  }

  /**
   * How a value is spelled; the reverse of {@link #parse}.
   *
   * @throws IllegalArgumentException if the type cannot be a partition column
   */
  public static String spell(Object value, LogicalType type) {
    return switch (kind(type)) {
      case CHAR, STRING, BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT -> value.toString();
      case FLOAT, DOUBLE -> spellFloatingPoint(((Number) value).doubleValue(), value);
      case BINARY, BYTES -> HexFormat.of().formatHex((byte[]) value);
      case DATE -> spellDate(LocalDate.ofEpochDay((Integer) value));
      case TIME -> spellTime((Integer) value);
      case TIMESTAMP, TIMESTAMP_LTZ -> spellTimestamp((Long) value);
      case DECIMAL -> throw notAPartitionType(type);
    };
  }

  private static Kind kind(LogicalType type) {
    if (type instanceof LogicalType.Scalar scalar) {
      return scalar.kind();
    }
    throw notAPartitionType(type);
  }

  private static Boolean parseBoolean(String spelling) {
    return switch (spelling.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new NumberFormatException("neither true nor false");
    };
  }

  private static byte[] parseHex(String spelling) {
    if (!HEX.matcher(spelling).matches()) {
      throw new NumberFormatException("not pairs of hex digits");
    }
    return HexFormat.of().parseHex(spelling);
  }

  private static String point(String spelling) {
    return switch (spelling) {
      case "Inf" -> "Infinity";
      case "-Inf" -> "-Infinity";
      default -> spelling.replace('_', '.');
    };
  }

  private static String spellFloatingPoint(double value, Object boxed) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "Inf" : "-Inf";
    }
    return boxed.toString().replace('.', '_');
  }

  private static LocalDate parseDate(String spelling) {
    Matcher parts = match(DATE, spelling);
    return LocalDate.of(number(parts, 1), number(parts, 2), number(parts, 3));
  }

  private static String spellDate(LocalDate date) {
    return String.format(
        Locale.ROOT, "%04d-%02d-%02d", date.getYear(), date.getMonthValue(), date.getDayOfMonth());
  }

  private static Integer parseTime(String spelling) {
    Matcher parts = match(TIME, spelling);
    LocalTime time =
        LocalTime.of(
            number(parts, 1),
            number(parts, 2),
            number(parts, 3),
            number(parts, 4) * NANOS_PER_MILLI);
    return (int) (time.toNanoOfDay() / NANOS_PER_MILLI);
  }

  private static String spellTime(int millis) {
    LocalTime time = LocalTime.ofNanoOfDay((long) millis * NANOS_PER_MILLI);
    return String.format(
        Locale.ROOT,
        "%02d-%02d-%02d_%03d",
        time.getHour(),
        time.getMinute(),
        time.getSecond(),
        time.getNano() / NANOS_PER_MILLI);
  }

  private static Long parseTimestamp(String spelling) {
    Matcher parts = match(TIMESTAMP, spelling);
    LocalTime time = LocalTime.MIDNIGHT;
    if (parts.group(2) != null) {
      String fraction = parts.group(5) == null ? "" : parts.group(5);
      int nanos = Integer.parseInt(fraction + "0".repeat(NANO_DIGITS - fraction.length()));
      time = LocalTime.of(number(parts, 2), number(parts, 3), number(parts, 4), nanos);
    }
    LocalDateTime timestamp = LocalDateTime.of(parseDate(parts.group(1)), time);
    long seconds = timestamp.toEpochSecond(ZoneOffset.UTC);
    return Math.addExact(
        Math.multiplyExact(seconds, MICROS_PER_SECOND), timestamp.getNano() / NANOS_PER_MICRO);
  }

  private static String spellTimestamp(long micros) {
    int nanos = (int) Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO;
    LocalDateTime timestamp =
        LocalDateTime.ofEpochSecond(
            Math.floorDiv(micros, MICROS_PER_SECOND), nanos, ZoneOffset.UTC);
    String fraction = String.format(Locale.ROOT, "%09d", nanos).replaceFirst("0+$", "");
    return spellDate(timestamp.toLocalDate())
        + String.format(
            Locale.ROOT,
            "-%02d-%02d-%02d_%s",
            timestamp.getHour(),
            timestamp.getMinute(),
            timestamp.getSecond(),
            fraction);
  }

  private static Matcher match(Pattern pattern, String spelling) {
    Matcher matcher = pattern.matcher(spelling);
    if (!matcher.matches()) {
      throw new DateTimeException("it does not match " + pattern);
    }
    return matcher;
  }

  private static int number(Matcher parts, int group) {
    return Integer.parseInt(parts.group(group));
  }

  private static IllegalArgumentException noSpelling(
      String spelling, LogicalType type, Exception cause) {
    return new IllegalArgumentException(
        "'" + spelling + "' is no partition value of type " + type, cause);
  }

  private static IllegalArgumentException notAPartitionType(LogicalType type) {
    return new IllegalArgumentException("a partition column cannot have the type " + type);
  }
}
