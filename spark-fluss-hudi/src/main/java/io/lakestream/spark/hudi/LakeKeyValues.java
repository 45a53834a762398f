package io.lakestream.spark.hudi;

import io.lakestream.spark.types.LogicalType;
import java.util.HexFormat;
import org.apache.spark.sql.types.Decimal;

/**
 * How single values are spelled in Hudi's record keys. As far as Hudi's Flink key generator is
 * exact, the spelling is the same, so that either tiering service finds the keys of the other:
 * plain text for numbers and strings, days since the epoch for DATE, milliseconds of the day for
 * TIME.
 */
final class LakeKeyValues {
  private static final long MICROS_PER_MILLI = 1000;

  private LakeKeyValues() {}

  /** A record-key value; null stays null. Timestamps are milliseconds since the epoch. */
  static String forRecordKey(LogicalType type, Object value) {
    if (value != null && isTimestamp(type)) {
      long micros = (Long) value;
      long millis = Math.floorDiv(micros, MICROS_PER_MILLI);
      long rest = Math.floorMod(micros, MICROS_PER_MILLI);
      // Flink's generator drops the microseconds, which would make one key of two.
      return rest == 0 ? Long.toString(millis) : millis + String.format(".%03d", rest);
    }
    return plain(value);
  }

  private static boolean isTimestamp(LogicalType type) {
    return type instanceof LogicalType.Scalar scalar
        && (scalar.kind() == LogicalType.Kind.TIMESTAMP
            || scalar.kind() == LogicalType.Kind.TIMESTAMP_LTZ);
  }

  private static String plain(Object value) {
    if (value == null) {
      return null;
    }
    if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    if (value instanceof Decimal decimal) {
      return decimal.toJavaBigDecimal().toPlainString();
    }
    return value.toString();
  }
}
