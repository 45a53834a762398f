package io.lakestream.spark.fluss;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.fluss.metadata.Schema;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Which columns the server is asked for, and how rows with the wanted ones are made of its answer.
 *
 * @param pushed the positions of the columns to fetch in the table's schema, or null for all
 * @param fields the shapes of the wanted columns
 * @param positions where the wanted columns stand in the rows fetched
 */
record LogProjection(int[] pushed, List<ValueShape> fields, int[] positions) {

  /**
   * A projection. A server cannot project a column onto batches that were written before the column
   * was added; if one is wanted, all columns are fetched, and Fluss's client fills in the nulls.
   * Without wanted columns the narrowest one is fetched, for rows must be counted.
   *
   * @param current the table's schema now
   * @param oldest the schema with which the table was created: columns are only ever added
   * @param wanted the wanted columns, structs in them cut to the wanted fields
   * @throws LakestreamException {@code SCHEMA_MISMATCH} for a column that the table does not have
   */
  static LogProjection of(TablePath path, Schema current, Schema oldest, StructType wanted) {
    TableSchema schema = FlussTables.schema(path, current);
    int[] indexes = new int[wanted.length()];
    List<ValueShape> fields = new ArrayList<>();
    for (int i = 0; i < indexes.length; i++) {
      StructField column = wanted.apply(i);
      indexes[i] = indexOf(path, schema, column.name());
      fields.add(ValueShape.of(schema.columns().get(indexes[i]).type(), column.dataType()));
    }
    List<String> always = oldest.getColumnNames();
    if (!always.containsAll(List.of(wanted.fieldNames()))) {
      return new LogProjection(null, fields, indexes);
    }
    if (wanted.isEmpty()) {
      return new LogProjection(new int[] {narrowest(schema, always)}, fields, indexes);
    }
    return new LogProjection(indexes, fields, IntStream.range(0, indexes.length).toArray());
  }

  private static int indexOf(TablePath path, TableSchema schema, String name) {
    int index = schema.indexOf(name);
    if (index < 0) {
      throw LakestreamException.of(
          ErrorCode.SCHEMA_MISMATCH,
          path,
          "the column "
              + name
              + " is not in the table any more, which has "
              + schema.columns().stream().map(TableColumn::name).toList()
              + ".",
          "Run the query again.");
    }
    return index;
  }

  private static int narrowest(TableSchema schema, List<String> candidates) {
    List<Integer> indexes = new ArrayList<>();
    candidates.forEach(name -> indexes.add(schema.indexOf(name)));
    return indexes.stream()
        .min(
            (left, right) ->
                Integer.compare(
                    width(schema.columns().get(left).type()),
                    width(schema.columns().get(right).type())))
        .orElseThrow();
  }

  /** A rough size in bytes; the text types have none, the nested ones come last. */
  private static int width(LogicalType type) {
    if (type instanceof LogicalType.Scalar scalar) {
      Kind kind = scalar.kind();
      return switch (kind) {
        case BOOLEAN, TINYINT -> 1;
        case SMALLINT -> 2;
        case INTEGER, FLOAT, DATE, TIME -> 4;
        case BIGINT, DOUBLE, TIMESTAMP, TIMESTAMP_LTZ -> 8;
        case DECIMAL -> 16;
        case CHAR, BINARY -> scalar.precision() + 4;
        case STRING, BYTES -> 1000;
      };
    }
    return Integer.MAX_VALUE;
  }

  FlussRow newRow() {
    return new FlussRow(fields, positions);
  }
}
