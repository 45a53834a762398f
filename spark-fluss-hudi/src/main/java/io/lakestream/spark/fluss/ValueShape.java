package io.lakestream.spark.fluss;

import io.lakestream.spark.types.LogicalType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * How a value that Fluss wrote is shown to Spark, which may want only some fields of its structs.
 *
 * @param type the type as Fluss declares it
 * @param positions of a row: where the shown fields stand in it; else empty
 * @param parts the shapes of a row's shown fields, of an array's element, or of a map's key and
 *     value; empty for a scalar
 */
record ValueShape(LogicalType type, int[] positions, List<ValueShape> parts) {
  private static final int[] NO_POSITIONS = {};

  /** The shape of a declared type, cut to the wanted one, whose fields are found by their names. */
  static ValueShape of(LogicalType declared, DataType wanted) {
    if (declared instanceof LogicalType.Row row) {
      return ofRow(row, (StructType) wanted);
    } else if (declared instanceof LogicalType.Array array) {
      DataType element = ((ArrayType) wanted).elementType();
      return new ValueShape(declared, NO_POSITIONS, List.of(of(array.element(), element)));
    } else if (declared instanceof LogicalType.Map map) {
      MapType type = (MapType) wanted;
      return new ValueShape(
          declared,
          NO_POSITIONS,
          List.of(of(map.key(), type.keyType()), of(map.value(), type.valueType())));
    }
    return new ValueShape(declared, NO_POSITIONS, List.of());
  }

  private static ValueShape ofRow(LogicalType.Row row, StructType wanted) {
    int[] positions = new int[wanted.length()];
    List<ValueShape> parts = new ArrayList<>();
    for (int i = 0; i < positions.length; i++) {
      StructField field = wanted.apply(i);
      positions[i] =
          IntStream.range(0, row.fields().size())
              .filter(position -> row.fields().get(position).name().equals(field.name()))
              .findFirst()
              .orElseThrow(() -> new IllegalArgumentException(field.name() + " is not in " + row));
      parts.add(of(row.fields().get(positions[i]).type(), field.dataType()));
    }
    return new ValueShape(row, positions, parts);
  }

  LogicalType.Scalar scalar() {
    return (LogicalType.Scalar) type;
  }

  /** How many fields a row has as it was written, shown or not. */
  int writtenFields() {
    return ((LogicalType.Row) type).fields().size();
  }
}
