package io.lakestream.spark.it.harness;

import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.fluss.types.ArrayType;
import org.apache.fluss.types.CharType;
import org.apache.fluss.types.DataField;
import org.apache.fluss.types.DataType;
import org.apache.fluss.types.DecimalType;
import org.apache.fluss.types.LocalZonedTimestampType;
import org.apache.fluss.types.MapType;
import org.apache.fluss.types.RowType;
import org.apache.fluss.types.TimestampType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The documented mapping of Fluss's types, written down a second time to check the product's. */
final class ExpectedTypes {
  private ExpectedTypes() {}

  static StructType struct(RowType type) {
    StructType struct = new StructType();
    for (DataField field : type.getFields()) {
      struct = struct.add(field.getName(), spark(field.getType()));
    }
    return struct;
  }

  static org.apache.spark.sql.types.DataType spark(DataType type) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> DataTypes.BooleanType;
      case TINYINT -> DataTypes.ByteType;
      case SMALLINT -> DataTypes.ShortType;
      case INTEGER, TIME_WITHOUT_TIME_ZONE -> DataTypes.IntegerType;
      case BIGINT -> DataTypes.LongType;
      case FLOAT -> DataTypes.FloatType;
      case DOUBLE -> DataTypes.DoubleType;
      case DECIMAL -> {
        DecimalType decimal = (DecimalType) type;
        yield DataTypes.createDecimalType(decimal.getPrecision(), decimal.getScale());
      }
      case CHAR, STRING -> DataTypes.StringType;
      case BINARY, BYTES -> DataTypes.BinaryType;
      case DATE -> DataTypes.DateType;
      case TIMESTAMP_WITHOUT_TIME_ZONE -> DataTypes.TimestampNTZType;
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> DataTypes.TimestampType;
      case ARRAY -> DataTypes.createArrayType(spark(((ArrayType) type).getElementType()));
      case MAP -> {
        MapType map = (MapType) type;
        yield DataTypes.createMapType(spark(map.getKeyType()), spark(map.getValueType()));
      }
      case ROW -> struct((RowType) type);
      default -> throw new IllegalArgumentException("no mapping of " + type);
    };
  }

  /** The type as {@code CREATE TABLE} of Spark spells it, or empty if Spark cannot. */
  static Optional<String> ddl(DataType type) {
    return switch (type.getTypeRoot()) {
      case TIME_WITHOUT_TIME_ZONE, BINARY -> Optional.empty();
      case CHAR -> Optional.of("CHAR(" + ((CharType) type).getLength() + ")");
      case TIMESTAMP_WITHOUT_TIME_ZONE ->
          ((TimestampType) type).getPrecision() == 6
              ? Optional.of("TIMESTAMP_NTZ")
              : Optional.empty();
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          ((LocalZonedTimestampType) type).getPrecision() == 6
              ? Optional.of("TIMESTAMP")
              : Optional.empty();
      case ARRAY ->
          ddl(((ArrayType) type).getElementType()).map(element -> "ARRAY<" + element + ">");
      case MAP -> {
        Optional<String> key = ddl(((MapType) type).getKeyType());
        Optional<String> value = ddl(((MapType) type).getValueType());
        yield key.flatMap(k -> value.map(v -> "MAP<" + k + ", " + v + ">"));
      }
      case ROW -> {
        RowType row = (RowType) type;
        yield row.getFields().stream().allMatch(field -> ddl(field.getType()).isPresent())
            ? Optional.of(
                row.getFields().stream()
                    .map(
                        field -> "`" + field.getName() + "`: " + ddl(field.getType()).orElseThrow())
                    .collect(Collectors.joining(", ", "STRUCT<", ">")))
            : Optional.empty();
      }
      default -> Optional.of(spark(type).sql());
    };
  }
}
