package io.lakestream.spark.fluss;

import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.UnsupportedTypeException;
import java.util.List;
import org.apache.fluss.types.ArrayType;
import org.apache.fluss.types.BinaryType;
import org.apache.fluss.types.CharType;
import org.apache.fluss.types.DataField;
import org.apache.fluss.types.DataType;
import org.apache.fluss.types.DataTypes;
import org.apache.fluss.types.DecimalType;
import org.apache.fluss.types.LocalZonedTimestampType;
import org.apache.fluss.types.MapType;
import org.apache.fluss.types.RowType;
import org.apache.fluss.types.TimeType;
import org.apache.fluss.types.TimestampType;

/** The mapping between Fluss's types and the neutral ones; it loses nothing in either direction. */
final class FlussTypes {
  private FlussTypes() {}

  /**
   * The neutral type of a column.
   *
   * @throws UnsupportedTypeException for a type that this connector does not know, as a newer
   *     server may have
   */
  static LogicalType toLogical(String column, DataType type) {
    LogicalType result =
        switch (type.getTypeRoot()) {
          case BOOLEAN -> LogicalType.of(Kind.BOOLEAN);
          case TINYINT -> LogicalType.of(Kind.TINYINT);
          case SMALLINT -> LogicalType.of(Kind.SMALLINT);
          case INTEGER -> LogicalType.of(Kind.INTEGER);
          case BIGINT -> LogicalType.of(Kind.BIGINT);
          case FLOAT -> LogicalType.of(Kind.FLOAT);
          case DOUBLE -> LogicalType.of(Kind.DOUBLE);
          case DECIMAL -> {
            DecimalType decimal = (DecimalType) type;
            yield LogicalType.decimal(decimal.getPrecision(), decimal.getScale());
          }
          case CHAR -> LogicalType.of(Kind.CHAR, ((CharType) type).getLength());
          case STRING -> LogicalType.of(Kind.STRING);
          case BINARY -> LogicalType.of(Kind.BINARY, ((BinaryType) type).getLength());
          case BYTES -> LogicalType.of(Kind.BYTES);
          case DATE -> LogicalType.of(Kind.DATE);
          case TIME_WITHOUT_TIME_ZONE ->
              LogicalType.of(Kind.TIME, ((TimeType) type).getPrecision());
          case TIMESTAMP_WITHOUT_TIME_ZONE ->
              LogicalType.of(Kind.TIMESTAMP, ((TimestampType) type).getPrecision());
          case TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
              LogicalType.of(Kind.TIMESTAMP_LTZ, ((LocalZonedTimestampType) type).getPrecision());
          case ARRAY ->
              new LogicalType.Array(toLogical(column, ((ArrayType) type).getElementType()), true);
          case MAP -> {
            MapType map = (MapType) type;
            yield new LogicalType.Map(
                toLogical(column, map.getKeyType()), toLogical(column, map.getValueType()), true);
          }
          case ROW -> {
            List<LogicalType.Field> fields =
                ((RowType) type)
                    .getFields().stream()
                        .map(
                            field ->
                                new LogicalType.Field(
                                    field.getName(), toLogical(column, field.getType())))
                        .toList();
            yield new LogicalType.Row(fields, true);
          }
          default -> throw new UnsupportedTypeException(column, type.asSummaryString());
        };
    return result.withNullable(type.isNullable());
  }

  static DataType toFluss(LogicalType type) {
    return toFlussNullable(type).copy(type.nullable());
  }

  private static DataType toFlussNullable(LogicalType type) {
    if (type instanceof LogicalType.Scalar scalar) {
      return switch (scalar.kind()) {
        case BOOLEAN -> DataTypes.BOOLEAN();
        case TINYINT -> DataTypes.TINYINT();
        case SMALLINT -> DataTypes.SMALLINT();
        case INTEGER -> DataTypes.INT();
        case BIGINT -> DataTypes.BIGINT();
        case FLOAT -> DataTypes.FLOAT();
        case DOUBLE -> DataTypes.DOUBLE();
        case DECIMAL -> DataTypes.DECIMAL(scalar.precision(), scalar.scale());
        case CHAR -> DataTypes.CHAR(scalar.precision());
        case STRING -> DataTypes.STRING();
        case BINARY -> DataTypes.BINARY(scalar.precision());
        case BYTES -> DataTypes.BYTES();
        case DATE -> DataTypes.DATE();
        case TIME -> DataTypes.TIME(scalar.precision());
        case TIMESTAMP -> DataTypes.TIMESTAMP(scalar.precision());
        case TIMESTAMP_LTZ -> DataTypes.TIMESTAMP_LTZ(scalar.precision());
      };
    } else if (type instanceof LogicalType.Array array) {
      return DataTypes.ARRAY(toFluss(array.element()));
    } else if (type instanceof LogicalType.Map map) {
      return DataTypes.MAP(toFluss(map.key()), toFluss(map.value()));
    }
    DataField[] fields =
        ((LogicalType.Row) type)
            .fields().stream()
                .map(field -> DataTypes.FIELD(field.name(), toFluss(field.type())))
                .toArray(DataField[]::new);
    return DataTypes.ROW(fields);
  }
}
