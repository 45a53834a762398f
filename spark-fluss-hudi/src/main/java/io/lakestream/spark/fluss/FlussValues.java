package io.lakestream.spark.fluss;

import io.lakestream.spark.types.LogicalType;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.DataGetters;
import org.apache.fluss.row.TimestampLtz;
import org.apache.fluss.row.TimestampNtz;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import scala.math.BigDecimal;

/**
 * Single values of Fluss rows and arrays in Spark's internal representation, decoded by the type
 * that Fluss declares. Stateless.
 */
final class FlussValues {
  private static final long MICROS_PER_MILLI = 1000;
  private static final int NANOS_PER_MICRO = 1000;

  private FlussValues() {}

  static UTF8String string(DataGetters source, int position, LogicalType.Scalar type) {
    BinaryString value =
        type.kind() == LogicalType.Kind.CHAR
            ? source.getChar(position, type.precision())
            : source.getString(position);
    return UTF8String.fromBytes(value.toBytes());
  }

  static byte[] binary(DataGetters source, int position, LogicalType.Scalar type) {
    return type.kind() == LogicalType.Kind.BINARY
        ? source.getBinary(position, type.precision())
        : source.getBytes(position);
  }

  static Decimal decimal(DataGetters source, int position, LogicalType.Scalar type) {
    org.apache.fluss.row.Decimal value =
        source.getDecimal(position, type.precision(), type.scale());
    return value.isCompact()
        ? Decimal.apply(value.toUnscaledLong(), type.precision(), type.scale())
        : Decimal.apply(new BigDecimal(value.toBigDecimal()), type.precision(), type.scale());
  }

  /** BIGINT as it is, a timestamp of any precision in microseconds, finer digits cut. */
  static long longValue(DataGetters source, int position, LogicalType.Scalar type) {
    return switch (type.kind()) {
      case TIMESTAMP -> {
        TimestampNtz value = source.getTimestampNtz(position, type.precision());
        yield micros(value.getMillisecond(), value.getNanoOfMillisecond());
      }
      case TIMESTAMP_LTZ -> {
        TimestampLtz value = source.getTimestampLtz(position, type.precision());
        yield micros(value.getEpochMillisecond(), value.getNanoOfMillisecond());
      }
      default -> source.getLong(position);
    };
  }

  /** The nanoseconds always count forwards, so that cutting them floors before 1970 too. */
  private static long micros(long millis, int nanoOfMilli) {
    return Math.addExact(
        Math.multiplyExact(millis, MICROS_PER_MILLI), nanoOfMilli / NANOS_PER_MICRO);
  }

  /** Any value, as a view where it has parts; null where it is null. */
  static Object get(DataGetters source, int position, ValueShape shape) {
    if (source.isNullAt(position)) {
      return null;
    }
    if (shape.type() instanceof LogicalType.Scalar scalar) {
      return switch (scalar.kind()) {
        case BOOLEAN -> source.getBoolean(position);
        case TINYINT -> source.getByte(position);
        case SMALLINT -> source.getShort(position);
        case INTEGER, DATE, TIME -> source.getInt(position);
        case BIGINT, TIMESTAMP, TIMESTAMP_LTZ -> longValue(source, position, scalar);
        case FLOAT -> source.getFloat(position);
        case DOUBLE -> source.getDouble(position);
        case DECIMAL -> decimal(source, position, scalar);
        case CHAR, STRING -> string(source, position, scalar);
        case BINARY, BYTES -> binary(source, position, scalar);
      };
    } else if (shape.type() instanceof LogicalType.Array) {
      return new FlussArray(source.getArray(position), shape.parts().get(0));
    } else if (shape.type() instanceof LogicalType.Map) {
      return new FlussMap(source.getMap(position), shape);
    }
    return row(source, position, shape);
  }

  private static FlussRow row(DataGetters source, int position, ValueShape shape) {
    FlussRow view = new FlussRow(shape.parts(), shape.positions());
    view.pointTo(source.getRow(position, shape.writtenFields()));
    return view;
  }

  /** The value without any reference to Fluss's memory. */
  static Object detach(Object value) {
    if (value instanceof UTF8String string) {
      return string.copy();
    } else if (value instanceof byte[] bytes) {
      return bytes.clone();
    } else if (value instanceof InternalRow row) {
      return row.copy();
    } else if (value instanceof ArrayData array) {
      return array.copy();
    } else if (value instanceof MapData map) {
      return map.copy();
    }
    return value;
  }
}
