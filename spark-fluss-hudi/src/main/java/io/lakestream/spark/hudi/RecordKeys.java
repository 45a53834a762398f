package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.util.List;
import java.util.Optional;
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
  private final boolean[] texts;
  private final boolean bare;
  private final TablePath table;
  private final Purpose purpose;

  /** What the keys of a table are to the lake. */
  enum Purpose {
    /** Two rows may have one key, as in log tables. */
    LABEL,
    /**
     * Two rows with one key are two versions of one row, and only writers wrote the lake that
     * refuse values whose spelling another key could have.
     */
    IDENTITY,
    /** The same in a lake that others may have written, who refuse nothing. */
    IDENTITY_OF_OTHERS
  }

  /**
   * @param columns the key columns
   * @param schema the columns of the rows to come, which are as {@link LakeRowLayout#dataColumns}
   *     has them
   */
  RecordKeys(
      TablePath table,
      Purpose purpose,
      TableSchema schema,
      List<String> columns,
      int partitionColumns) {
    this.table = table;
    this.purpose = purpose;
    this.names = columns.toArray(String[]::new);
    this.types = new LogicalType[names.length];
    this.ordinals = new int[names.length];
    this.dataTypes = new DataType[names.length];
    this.texts = new boolean[names.length];
    var layout = LakeRowLayout.dataColumns(schema);
    for (int i = 0; i < names.length; i++) {
      ordinals[i] = layout.fieldIndex(names[i]);
      dataTypes[i] = layout.apply(ordinals[i]).dataType();
      texts[i] = dataTypes[i].equals(DataTypes.StringType);
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
    for (int i = 0; purpose != Purpose.LABEL && i < names.length; i++) {
      if (texts[i]) {
        requireUnambiguous(row, i);
      }
    }
    return spell(row);
  }

  /**
   * The key to be deleted for a row in the lake's layout, empty if there is nothing to delete. A
   * value that {@link #of} refuses may be deleted all the same: that is how a user gets rid of it.
   *
   * <p>With a comma in a value, the spelled key has more commas than a key whose values have none,
   * so no row that the lake can hold has the same spelling: deleting it is right if somebody wrote
   * it, and else does nothing. Neither can a null be the key of another row, because primary keys
   * have none. But the placeholder of the empty text is spelled like the empty text, whose row must
   * stay.
   *
   * @throws LakestreamException {@code TIERING_REFUSED} if a row of that spelling may be there, and
   *     may be of either value
   */
  Optional<String> ofDeleted(InternalRow row) {
    int placeholder = -1;
    for (int i = 0; i < names.length; i++) {
      String text = texts[i] ? spelled(row, i) : null;
      if (text != null && !bare && text.indexOf(SEPARATOR) >= 0) {
        return Optional.of(spell(row));
      }
      if (EMPTY_VALUE.equals(text)) {
        placeholder = i;
      }
    }
    if (placeholder < 0) {
      return Optional.of(spell(row));
    }
    if (purpose != Purpose.IDENTITY) {
      requireUnambiguous(row, placeholder);
    }
    return Optional.empty();
  }

  private String spell(InternalRow row) {
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
    String text = spelled(row, index);
    if (text == null) {
      return NULL_VALUE;
    }
    return text.isEmpty() ? EMPTY_VALUE : text;
  }

  private String spelled(InternalRow row, int index) {
    int ordinal = ordinals[index];
    return row.isNullAt(ordinal)
        ? null
        : LakeKeyValues.forRecordKey(types[index], row.get(ordinal, dataTypes[index]));
  }

  /**
   * Hudi takes its placeholders for null and the empty string, and its bucket index splits the keys
   * of several columns at commas.
   */
  private void requireUnambiguous(InternalRow row, int index) {
    String text = spelled(row, index);
    String problem = null;
    if (NULL_VALUE.equals(text) || EMPTY_VALUE.equals(text)) {
      problem = "which Hudi reserves";
    } else if (text != null && !bare && text.indexOf(SEPARATOR) >= 0) {
      problem = "which has a comma, at which Hudi splits the key of several columns";
    }
    if (problem != null) {
      throw LakestreamException.of(
          ErrorCode.TIERING_REFUSED,
          table,
          "the key column " + names[index] + " has the value '" + text + "', " + problem + ".",
          "Nothing was tiered. Delete the key and write its row under another one.");
    }
  }
}
