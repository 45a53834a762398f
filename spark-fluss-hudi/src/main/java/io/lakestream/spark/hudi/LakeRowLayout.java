package io.lakestream.spark.hudi;

import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.SparkTypes;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.JavaConverters;

/**
 * The Spark types under which Hudi's writers take rows. They follow the Avro schema of {@link
 * LakeAvroSchema}: both kinds of timestamps change places, which leaves the stored number as it is,
 * and small integers become INT.
 */
final class LakeRowLayout {
  private LakeRowLayout() {}

  /** The declared columns followed by the system columns. */
  static StructType dataColumns(TableSchema schema) {
    StructType struct = new StructType();
    for (TableColumn column : schema.columns()) {
      struct =
          struct.add(column.name(), widened(sameBits(column.type())), column.type().nullable());
    }
    return struct
        .add(LakeAvroSchema.BUCKET_COLUMN, DataTypes.IntegerType)
        .add(LakeAvroSchema.OFFSET_COLUMN, DataTypes.LongType)
        .add(LakeAvroSchema.TIMESTAMP_COLUMN, DataTypes.TimestampType);
  }

  /** Hudi's meta columns followed by others. */
  static StructType withMetaColumns(StructType dataColumns) {
    StructType columns = new StructType();
    for (String name : HoodieRecord.HOODIE_META_COLUMNS) {
      columns = columns.add(name, DataTypes.StringType);
    }
    for (StructField field : dataColumns.fields()) {
      columns = columns.add(field);
    }
    return columns;
  }

  /** Brings rows with the declared columns in Spark's representation into the lake's. */
  static UnsafeProjection projection(TableSchema schema) {
    List<Expression> columns = new ArrayList<>();
    for (TableColumn column : schema.columns()) {
      DataType read = sameBits(column.type());
      DataType written = widened(read);
      Expression value = new BoundReference(columns.size(), read, column.type().nullable());
      columns.add(
          read.equals(written)
              ? value
              : new Cast(value, written, Option.apply("UTC"), EvalMode.LEGACY()));
    }
    return UnsafeProjection.create(JavaConverters.asScalaBuffer(columns).toSeq());
  }

  private static DataType sameBits(LogicalType type) {
    if (type instanceof LogicalType.Scalar scalar) {
      return switch (scalar.kind()) {
        case TIMESTAMP -> DataTypes.TimestampType;
        case TIMESTAMP_LTZ -> DataTypes.TimestampNTZType;
        default -> SparkTypes.toSpark(type);
      };
    }
    if (type instanceof LogicalType.Array array) {
      return DataTypes.createArrayType(sameBits(array.element()), array.element().nullable());
    }
    if (type instanceof LogicalType.Map map) {
      return DataTypes.createMapType(
          sameBits(map.key()), sameBits(map.value()), map.value().nullable());
    }
    StructType struct = new StructType();
    for (LogicalType.Field field : ((LogicalType.Row) type).fields()) {
      struct = struct.add(field.name(), sameBits(field.type()), field.type().nullable());
    }
    return struct;
  }

  private static DataType widened(DataType type) {
    if (type instanceof ByteType || type instanceof ShortType) {
      return DataTypes.IntegerType;
    }
    if (type instanceof ArrayType array) {
      return DataTypes.createArrayType(widened(array.elementType()), array.containsNull());
    }
    if (type instanceof MapType map) {
      return DataTypes.createMapType(
          widened(map.keyType()), widened(map.valueType()), map.valueContainsNull());
    }
    if (type instanceof StructType row) {
      StructType struct = new StructType();
      for (StructField field : row.fields()) {
        struct = struct.add(field.name(), widened(field.dataType()), field.nullable());
      }
      return struct;
    }
    return type;
  }
}
