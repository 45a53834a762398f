package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * Spells the record keys of rows: the bare value for a single key column, {@code a:1,b:2} for
 * several, with Hudi's placeholders for null and the empty string. The key may also name the system
 * columns {@code __bucket} and {@code __offset}. Not thread-safe.
 */
final class RecordKeys {
  private static final String NULL_VALUE = "__null__";
  private static final String EMPTY_VALUE = "__empty__";
  private static final char SEPARATOR = ',';

  private final String[] names;
  private final LogicalType[] types;
  private final int[] ordinals;
  private final DataType[] dataTypes;
  private final boolean bare;
  private final TablePath table;
  private final boolean unique;

  /**
   * @param unique whether two rows with one key are two versions of one row; then a value is
   *     refused whose spelling another key could have
   * @param columns the key columns
   * @param row the columns of the rows to come, as {@link LakeRowLayout#dataColumns} has them
   */
  RecordKeys(
      TablePath table,
      boolean unique,
      TableSchema schema,
      List<String> columns,
      int partitionColumns) {
    this.table = table;
    this.unique = unique;
    this.names = columns.toArray(String[]::new);
    this.types = new LogicalType[names.length];
    this.ordinals = new int[names.length];
    this.dataTypes = new DataType[names.length];
    var layout = LakeRowLayout.dataColumns(schema);
    for (int i = 0; i < names.length; i++) {
      ordinals[i] = layout.fieldIndex(names[i]);
      dataTypes[i] = layout.apply(ordinals[i]).dataType();
      types[i] =
          schema.indexOf(names[i]) >= 0
              ? schema.column(names[i]).type()
              : LogicalType.of(
                  dataTypes[i].equals(DataTypes.IntegerType)
                      ? LogicalType.Kind.INTEGER
                      : LogicalType.Kind.BIGINT);
    }
    // Hudi's Flink key generator writes the bare value only up to one partition column.
    this.bare = names.length == 1 && partitionColumns <= 1;
  }

  /**
   * The key of a row in the lake's layout.
   *
   * @throws LakestreamException {@code TIERING_REFUSED} if another key could be spelled the same
   */
  String of(InternalRow row) {
    if (bare) {
      return value(row, 0);
    }
    StringBuilder key = new StringBuilder();
    for (int i = 0; i < names.length; i++) {
      if (i > 0) {
        key.append(SEPARATOR);
      }
      key.append(names[i]).append(':').append(value(row, i));
    }
    return key.toString();
  }

  private String value(InternalRow row, int index) {
    int ordinal = ordinals[index];
    if (row.isNullAt(ordinal)) {
      return NULL_VALUE;
    }
    String text = LakeKeyValues.forRecordKey(types[index], row.get(ordinal, dataTypes[index]));
    if (unique) {
      requireUnambiguous(names[index], text);
    }
    return text.isEmpty() ? EMPTY_VALUE : text;
  }

  /**
   * Hudi takes its placeholders for null and the empty string, and its bucket index splits the keys
   * of several columns at commas.
   */
  private void requireUnambiguous(String column, String text) {
    String problem = null;
    if (text.equals(NULL_VALUE) || text.equals(EMPTY_VALUE)) {
      problem = "which Hudi reserves";
    } else if (!bare && text.indexOf(SEPARATOR) >= 0) {
      problem = "which has a comma, at which Hudi splits the key of several columns";
    }
    if (problem != null) {
      throw LakestreamException.of(
          ErrorCode.TIERING_REFUSED,
          table,
          "the key column " + column + " has the value '" + text + "', " + problem + ".",
          "Nothing was tiered. Delete the key and write its row under another one.");
    }
  }
}
