package io.lakestream.spark.types;

import io.lakestream.spark.types.LogicalType.Kind;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.util.CharVarcharUtils;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.CharType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.VarcharType;

/**
 * The mapping between declared types and Spark's.
 *
 * <p>CHAR and STRING are Spark strings, values as written, never padded. TIME is an INT of
 * milliseconds since midnight (as Fluss's own Spark connector has it; Spark 3.5 has no time type).
 * Timestamps have microseconds in Spark: digits beyond the sixth are cut, on both tiers alike.
 */
public final class SparkTypes {
  private SparkTypes() {}

  /** The Spark type in which values of {@code type} are handed to Spark. */
  public static DataType toSpark(LogicalType type) {
    if (type instanceof LogicalType.Scalar scalar) {
      return switch (scalar.kind()) {
        case BOOLEAN -> DataTypes.BooleanType;
        case TINYINT -> DataTypes.ByteType;
        case SMALLINT -> DataTypes.ShortType;
        case INTEGER, TIME -> DataTypes.IntegerType;
        case BIGINT -> DataTypes.LongType;
        case FLOAT -> DataTypes.FloatType;
        case DOUBLE -> DataTypes.DoubleType;
        case DECIMAL -> DataTypes.createDecimalType(scalar.precision(), scalar.scale());
        case CHAR, STRING -> DataTypes.StringType;
        case BINARY, BYTES -> DataTypes.BinaryType;
        case DATE -> DataTypes.DateType;
        case TIMESTAMP -> DataTypes.TimestampNTZType;
        case TIMESTAMP_LTZ -> DataTypes.TimestampType;
      };
    }
    if (type instanceof LogicalType.Array array) {
      return DataTypes.createArrayType(toSpark(array.element()), array.element().nullable());
    }
    if (type instanceof LogicalType.Map map) {
      return DataTypes.createMapType(
          toSpark(map.key()), toSpark(map.value()), map.value().nullable());
    }
    StructType struct = new StructType();
    for (LogicalType.Field field : ((LogicalType.Row) type).fields()) {
      struct = struct.add(field.name(), toSpark(field.type()), field.type().nullable());
    }
    return struct;
  }

  static StructType toStruct(TableSchema schema) {
    StructType struct = new StructType();
    for (TableColumn column : schema.columns()) {
      Metadata metadata =
          column.comment() == null
              ? Metadata.empty()
              : new MetadataBuilder().putString("comment", column.comment()).build();
      struct =
          struct.add(column.name(), toSpark(column.type()), column.type().nullable(), metadata);
    }
    return struct;
  }

  /**
   * The declared schema for a {@code CREATE TABLE} given in Spark's types.
   *
   * @throws UnsupportedTypeException for a type that Fluss has no counterpart of
   */
  public static TableSchema fromStruct(StructType struct) {
    List<TableColumn> columns = new ArrayList<>();
    StructType raw = CharVarcharUtils.getRawSchema(struct);
    for (StructField field : raw.fields()) {
      String comment = field.getComment().isDefined() ? field.getComment().get() : null;
      columns.add(
          new TableColumn(
              field.name(), fromSpark(field.name(), field.dataType(), field.nullable()), comment));
    }
    return new TableSchema(columns);
  }

  /**
   * The declared type of a column given in Spark's type.
   *
   * @throws UnsupportedTypeException for a type that Fluss has no counterpart of
   */
  public static LogicalType fromSpark(String column, DataType type, boolean nullable) {
    LogicalType result = fromSpark(column, type);
    return result.withNullable(nullable);
  }

  private static LogicalType fromSpark(String column, DataType type) {
    if (type instanceof BooleanType) {
      return LogicalType.of(Kind.BOOLEAN);
    } else if (type instanceof ByteType) {
      return LogicalType.of(Kind.TINYINT);
    } else if (type instanceof ShortType) {
      return LogicalType.of(Kind.SMALLINT);
    } else if (type instanceof IntegerType) {
      return LogicalType.of(Kind.INTEGER);
    } else if (type instanceof LongType) {
      return LogicalType.of(Kind.BIGINT);
    } else if (type instanceof FloatType) {
      return LogicalType.of(Kind.FLOAT);
    } else if (type instanceof DoubleType) {
      return LogicalType.of(Kind.DOUBLE);
    } else if (type instanceof DecimalType decimal) {
      return LogicalType.decimal(decimal.precision(), decimal.scale());
    } else if (type instanceof CharType character) {
      return LogicalType.of(Kind.CHAR, character.length());
    } else if (type instanceof StringType || type instanceof VarcharType) {
      return LogicalType.of(Kind.STRING);
    } else if (type instanceof BinaryType) {
      return LogicalType.of(Kind.BYTES);
    } else if (type instanceof DateType) {
      return LogicalType.of(Kind.DATE);
    } else if (type instanceof TimestampNTZType) {
      return LogicalType.of(Kind.TIMESTAMP, 6);
    } else if (type instanceof TimestampType) {
      return LogicalType.of(Kind.TIMESTAMP_LTZ, 6);
    } else if (type instanceof ArrayType array) {
      return new LogicalType.Array(
          fromSpark(column, array.elementType(), array.containsNull()), true);
    } else if (type instanceof MapType map) {
      return new LogicalType.Map(
          fromSpark(column, map.keyType(), false),
          fromSpark(column, map.valueType(), map.valueContainsNull()),
          true);
    } else if (type instanceof StructType struct) {
      List<LogicalType.Field> fields = new ArrayList<>();
      for (StructField field : struct.fields()) {
        fields.add(
            new LogicalType.Field(
                field.name(), fromSpark(column, field.dataType(), field.nullable())));
      }
      return new LogicalType.Row(fields, true);
    }
    throw new UnsupportedTypeException(column, type.catalogString());
  }
}
