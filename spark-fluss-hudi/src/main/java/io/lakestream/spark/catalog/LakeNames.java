package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Names that a lake can store: Hudi keeps its schema as Avro, whose names are letters, digits and
 * underscores (Avro specification, "Names"). Asked when columns are declared, so that no table has
 * rows that can never be tiered.
 */
final class LakeNames {
  private static final Pattern AVRO_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private LakeNames() {}

  /**
   * Fails if the lake cannot have one of the columns, or a field of one.
   *
   * @throws LakestreamException {@code INVALID_TABLE_DEFINITION}
   */
  static void require(TablePath path, List<TableColumn> columns) {
    for (TableColumn column : columns) {
      require(path, column.name());
      requireFields(path, column.type());
    }
  }

  private static void requireFields(TablePath path, LogicalType type) {
    if (type instanceof LogicalType.Array array) {
      requireFields(path, array.element());
    } else if (type instanceof LogicalType.Map map) {
      requireFields(path, map.key());
      requireFields(path, map.value());
    } else if (type instanceof LogicalType.Row row) {
      for (LogicalType.Field field : row.fields()) {
        require(path, field.name());
        requireFields(path, field.type());
      }
    }
  }

  private static void require(TablePath path, String name) {
    if (!AVRO_NAME.matcher(name).matches()) {
      throw LakestreamException.of(
          ErrorCode.INVALID_TABLE_DEFINITION,
          path,
          "the name '" + name + "' cannot be stored in the lake.",
          "Use letters of ASCII, digits and underscores, and begin with no digit.");
    }
  }
}
