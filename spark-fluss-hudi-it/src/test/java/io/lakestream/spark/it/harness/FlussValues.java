package io.lakestream.spark.it.harness;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.Decimal;
import org.apache.fluss.row.GenericArray;
import org.apache.fluss.row.GenericMap;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.TimestampLtz;
import org.apache.fluss.row.TimestampNtz;
import org.apache.fluss.types.ArrayType;
import org.apache.fluss.types.DataType;
import org.apache.fluss.types.DecimalType;
import org.apache.fluss.types.MapType;
import org.apache.fluss.types.RowType;
import org.apache.spark.sql.Row;

/** Turns values of Spark's external types into those of the Fluss client. */
final class FlussValues {
  private FlussValues() {}

  static GenericRow row(RowType type, Row row) {
    if (type.getFieldCount() != row.size()) {
      throw new IllegalArgumentException(row + " has not the columns of " + type);
    }
    GenericRow result = new GenericRow(row.size());
    for (int i = 0; i < row.size(); i++) {
      result.setField(i, value(type.getTypeAt(i), row.get(i)));
    }
    return result;
  }

  private static Object value(DataType type, Object value) {
    if (value == null) {
      return null;
    }
    return switch (type.getTypeRoot()) {
      case CHAR, STRING -> BinaryString.fromString((String) value);
      case DECIMAL -> {
        DecimalType decimal = (DecimalType) type;
        yield Decimal.fromBigDecimal(
            (BigDecimal) value, decimal.getPrecision(), decimal.getScale());
      }
      case DATE -> Math.toIntExact(((LocalDate) value).toEpochDay());
      case TIMESTAMP_WITHOUT_TIME_ZONE -> TimestampNtz.fromLocalDateTime((LocalDateTime) value);
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> TimestampLtz.fromInstant((Instant) value);
      case ARRAY -> {
        DataType element = ((ArrayType) type).getElementType();
        yield new GenericArray(
            ((List<?>) value).stream().map(item -> value(element, item)).toArray());
      }
      case MAP -> {
        MapType map = (MapType) type;
        Map<Object, Object> entries = new LinkedHashMap<>();
        ((Map<?, ?>) value)
            .forEach(
                (key, item) ->
                    entries.put(value(map.getKeyType(), key), value(map.getValueType(), item)));
        yield new GenericMap(entries);
      }
      case ROW -> row((RowType) type, (Row) value);
      default -> value;
    };
  }
}
