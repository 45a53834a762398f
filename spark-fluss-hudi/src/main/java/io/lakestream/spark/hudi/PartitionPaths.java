package io.lakestream.spark.hudi;

import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.LogicalType.Scalar;
import io.lakestream.spark.types.PartitionKey;
import io.lakestream.spark.types.PartitionValues;
import io.lakestream.spark.types.TableSchema;
import java.io.Serializable;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * How a Hudi table spells its partitions as folders: one path segment per partition column, hive
 * style ({@code name=value}) or bare, percent-encoded or not, as {@code hoodie.properties} says.
 *
 * <p>Values are spelled as Fluss 1.0's tiering does, which is the text of Flink's internal value: a
 * DATE is the number of days since 1970-01-01, a TIME the milliseconds of the day. A timestamp
 * would be {@code 2026-08-01T10:00:00.123} in UTC, which is understood but not written, because a
 * folder with a colon cannot be had on Hadoop file systems; it is written as Fluss spells it,
 * {@code 2026-08-01-10-00-00_123}. Bytes are lower-case hexadecimal digits. Dates may also be
 * written out as {@code 2026-08-01}, as Hudi's Spark writers have them: Hudi's readers take a
 * partition column's values from the folder and {@code 20666} for a year. Both are understood.
 */
final class PartitionPaths implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final String NULL_SEGMENT = "__HIVE_DEFAULT_PARTITION__";
  private static final long MICROS_PER_SECOND = 1_000_000L;

  /** The characters that Hudi's path encoding replaces, besides the control characters. */
  private static final String ENCODED = "\"#%'*/:=?\\\u007F{[]^";

  /** One partition column: its name and declared type. */
  record Column(String name, LogicalType type) implements Serializable {}

  private final List<Column> columns;
  private final boolean hiveStyle;
  private final boolean encoded;
  private final boolean datesWrittenOut;

  PartitionPaths(List<Column> columns, boolean hiveStyle, boolean encoded) {
    this(columns, hiveStyle, encoded, false);
  }

  private PartitionPaths(
      List<Column> columns, boolean hiveStyle, boolean encoded, boolean datesWrittenOut) {
    this.columns = List.copyOf(columns);
    this.hiveStyle = hiveStyle;
    this.encoded = encoded;
    this.datesWrittenOut = datesWrittenOut;
  }

  /**
   * Bare and unencoded segments, as tiering writes them.
   *
   * @param datesWrittenOut whether dates are written out; Fluss's own tiering does not
   */
  static PartitionPaths asTiered(
      TableSchema schema, List<String> partitionColumns, boolean datesWrittenOut) {
    return new PartitionPaths(columns(schema, partitionColumns), false, false, datesWrittenOut);
  }

  /** How many partition columns there are. */
  int depth() {
    return columns.size();
  }

  /** The columns of these names. */
  static List<Column> columns(TableSchema schema, List<String> names) {
    return names.stream().map(name -> new Column(name, schema.column(name).type())).toList();
  }

  /** Whether values of this type have a spelling that can be read back. */
  static boolean supports(LogicalType type) {
    return type instanceof Scalar scalar && scalar.kind() != Kind.DECIMAL;
  }

  /**
   * The typed values of a partition folder.
   *
   * @param path relative to the table, empty for an unpartitioned table
   * @throws IllegalArgumentException if the path does not fit the partition columns
   */
  PartitionKey parse(String path) {
    if (columns.isEmpty()) {
      if (!path.isEmpty()) {
        throw new IllegalArgumentException(
            "partition path '" + path + "' in a table without partition columns");
      }
      return PartitionKey.NONE;
    }
    String[] segments = path.split("/", -1);
    if (segments.length != columns.size()) {
      throw new IllegalArgumentException(
          "partition path '" + path + "' does not have " + columns.size() + " segments");
    }
    List<Object> values = new ArrayList<>(segments.length);
    for (int i = 0; i < segments.length; i++) {
      Column column = columns.get(i);
      String text = value(segments[i], column, path);
      values.add(text.equals(NULL_SEGMENT) ? null : typed(text, column, path));
    }
    return new PartitionKey(values);
  }

  /** The folder of a partition, relative to the table; empty for an unpartitioned table. */
  String format(PartitionKey key) {
    List<String> segments = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      String text = text(key.values().get(i), column);
      String segment = encoded ? encode(text) : text;
      segments.add(hiveStyle ? column.name() + "=" + segment : segment);
    }
    return String.join("/", segments);
  }

  private String value(String segment, Column column, String path) {
    String raw = segment;
    if (hiveStyle) {
      String prefix = column.name() + "=";
      if (!segment.startsWith(prefix)) {
        throw new IllegalArgumentException(
            "partition path '" + path + "' lacks '" + prefix + "' in segment '" + segment + "'");
      }
      raw = segment.substring(prefix.length());
    }
    return encoded ? decode(raw) : raw;
  }

  private static Object typed(String text, Column column, String path) {
    Kind kind = ((Scalar) column.type()).kind();
    try {
      return switch (kind) {
        case CHAR, STRING -> UTF8String.fromString(text);
        case BOOLEAN -> bool(text);
        case TINYINT -> Byte.valueOf(text);
        case SMALLINT -> Short.valueOf(text);
        case INTEGER, TIME -> Integer.valueOf(text);
        case BIGINT -> Long.valueOf(text);
        case FLOAT -> Float.valueOf(text);
        case DOUBLE -> Double.valueOf(text);
        case DATE -> date(text);
        case TIMESTAMP, TIMESTAMP_LTZ ->
            text.indexOf('T') > 0 ? micros(text) : PartitionValues.parse(text, column.type());
        case BINARY, BYTES -> HexFormat.of().parseHex(text);
        case DECIMAL ->
            throw new IllegalArgumentException("a partition column cannot be " + column.type());
      };
    } catch (NumberFormatException | DateTimeParseException e) {
      throw new IllegalArgumentException(
          "partition path '"
              + path
              + "': '"
              + text
              + "' is no "
              + column.type()
              + " for column "
              + column.name(),
          e);
    }
  }

  private static Boolean bool(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new NumberFormatException(text);
    };
  }

  private static Integer date(String text) {
    boolean days = text.lastIndexOf('-') <= 0;
    return days ? Integer.valueOf(text) : (int) LocalDate.parse(text).toEpochDay();
  }

  private static Long micros(String text) {
    LocalDateTime time = LocalDateTime.parse(text);
    return Math.addExact(
        Math.multiplyExact(time.toEpochSecond(ZoneOffset.UTC), MICROS_PER_SECOND),
        time.getNano() / 1000);
  }

  private String text(Object value, Column column) {
    if (value == null) {
      return NULL_SEGMENT;
    }
    String text =
        switch (((Scalar) column.type()).kind()) {
          case TIMESTAMP, TIMESTAMP_LTZ -> PartitionValues.spell(value, column.type());
          case BINARY, BYTES -> HexFormat.of().formatHex((byte[]) value);
          case DATE ->
              datesWrittenOut ? LocalDate.ofEpochDay((Integer) value).toString() : value.toString();
          default -> value.toString();
        };
    return text.isEmpty() ? NULL_SEGMENT : text;
  }

  private static String encode(String text) {
    StringBuilder out = new StringBuilder();
    for (char c : text.toCharArray()) {
      if (c < ' ' || ENCODED.indexOf(c) >= 0) {
        out.append(String.format("%%%02X", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static String decode(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%' && i + 2 < text.length() && isHex(text, i + 1)) {
        out.append((char) Integer.parseInt(text, i + 1, i + 3, 16));
        i += 2;
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static boolean isHex(String text, int at) {
    return Character.digit(text.charAt(at), 16) >= 0
        && Character.digit(text.charAt(at + 1), 16) >= 0;
  }
}
