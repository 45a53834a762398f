package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.options.OptionLayer;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.TablePath;
import java.util.List;

/** Makes the Spark table of a name, for both entry points. */
final class TableLoader {
  /** What follows a table's name to mean its lake alone. */
  private static final String LAKE_SUFFIX = "$lake";

  /** The fractional digits that a Spark timestamp has. */
  private static final int SPARK_DIGITS = 6;

  private TableLoader() {}

  /** Whether the name means a view of a table, not a table that can be created or dropped. */
  static boolean isView(String name) {
    return name.endsWith(LAKE_SUFFIX);
  }

  /**
   * Loads a table.
   *
   * @param name the name that users see
   * @param path the table, with or without the suffix {@code $lake}
   */
  static LakestreamTable load(String name, Tiers tiers, TablePath path, List<OptionLayer> layers) {
    boolean lakeOnly = path.table().endsWith(LAKE_SUFFIX);
    TablePath base =
        lakeOnly
            ? new TablePath(
                path.database(),
                path.table().substring(0, path.table().length() - LAKE_SUFFIX.length()))
            : path;
    LogTable table = tiers.log().table(base);
    checkKeys(table);
    return table.isPartitioned()
        ? new PartitionedLakestreamTable(name, tiers, table, lakeOnly, layers)
        : new LakestreamTable(name, tiers, table, lakeOnly, layers);
  }

  /** Two keys that differ beyond Spark's digits would be taken for one. */
  private static void checkKeys(LogTable table) {
    for (String column : table.primaryKey()) {
      LogicalType type = table.schema().column(column).type();
      if (type instanceof LogicalType.Scalar scalar
          && (scalar.kind() == Kind.TIMESTAMP || scalar.kind() == Kind.TIMESTAMP_LTZ)
          && scalar.precision() > SPARK_DIGITS) {
        throw LakestreamException.of(
            ErrorCode.UNSUPPORTED_TYPE,
            table.path(),
            "the primary-key column '"
                + column
                + "' has the type "
                + type
                + ", but Spark timestamps have "
                + SPARK_DIGITS
                + " digits, so that distinct keys could not be told apart.",
            "Use a key column with at most " + SPARK_DIGITS + " digits.");
      }
    }
  }
}
