package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.log.NewTable;
import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.options.OptionLayer;
import io.lakestream.spark.options.OptionResolver;
import io.lakestream.spark.types.SparkTypes;
import io.lakestream.spark.types.SystemColumns;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import io.lakestream.spark.types.UnsupportedTypeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.StructType;

/**
 * Translates between a {@code CREATE TABLE} statement and a Fluss table. The property names of keys
 * and buckets are those of Fluss's own Spark catalog.
 */
final class TableDefinition {
  static final String PRIMARY_KEY = "primary.key";
  static final String BUCKET_KEY = "bucket.key";
  static final String BUCKET_NUMBER = "bucket.num";

  /** Properties under this prefix are Fluss's own; it knows and checks them. */
  private static final String FLUSS_PREFIX = "table.";

  /** What Spark adds on its own and Fluss has other places for. */
  private static final Set<String> SPARK_PROPERTIES =
      Set.of(
          TableCatalog.PROP_PROVIDER,
          TableCatalog.PROP_OWNER,
          TableCatalog.PROP_COMMENT,
          TableCatalog.PROP_EXTERNAL,
          TableCatalog.PROP_IS_MANAGED_LOCATION,
          PRIMARY_KEY,
          BUCKET_KEY,
          BUCKET_NUMBER);

  private TableDefinition() {}

  static NewTable parse(
      TablePath path,
      StructType columns,
      Transform[] partitions,
      Map<String, String> properties,
      Optional<String> catalogFolder) {
    TableSchema schema = schema(path, columns);
    List<String> partitionColumns = partitionColumns(path, partitions);
    List<String> primaryKey = columnList(path, schema, properties, PRIMARY_KEY);
    if (!primaryKey.isEmpty() && !primaryKey.containsAll(partitionColumns)) {
      throw invalid(
          path,
          "the primary key "
              + primaryKey
              + " does not contain the partition columns "
              + partitionColumns
              + ".",
          "Add them to '" + PRIMARY_KEY + "'.");
    }
    if (properties.containsKey(TableCatalog.PROP_LOCATION)) {
      throw invalid(
          path,
          "LOCATION says nothing for a table in two tiers.",
          "Set the table property 'lakestream.hudi.path' to the folder of its lake.");
    }
    Map<String, String> own = new HashMap<>();
    Map<String, String> custom = new HashMap<>();
    properties.forEach(
        (key, value) -> {
          if (key.startsWith(FLUSS_PREFIX)) {
            own.put(key, value);
          } else if (!SPARK_PROPERTIES.contains(key)
              && !key.startsWith(TableCatalog.OPTION_PREFIX)) {
            custom.put(key, value);
          }
        });
    new OptionResolver(path, List.of(OptionLayer.table(custom)))
        .find(LakestreamOptions.HUDI_PATH)
        .ifPresent(lake -> LakePaths.requireLegal(path, lake));
    catalogFolder.ifPresent(folder -> placeLake(path, folder, custom));
    if (custom.containsKey(LakestreamOptions.TABLE_PREFIX + LakestreamOptions.HUDI_PATH.key())) {
      LakeNames.require(path, schema.columns());
    }
    return new NewTable(
        schema,
        primaryKey,
        partitionColumns,
        columnList(path, schema, properties, BUCKET_KEY),
        bucketNumber(path, properties),
        own,
        custom,
        properties.get(TableCatalog.PROP_COMMENT));
  }

  /** Writes down where the lake will be, so that readers find it without this catalog. */
  private static void placeLake(TablePath path, String folder, Map<String, String> custom) {
    String prefix = LakestreamOptions.TABLE_PREFIX;
    custom.putIfAbsent(prefix + LakestreamOptions.LAKE_FORMAT.key(), "hudi");
    custom.putIfAbsent(prefix + LakestreamOptions.HUDI_PATH.key(), LakeLocator.under(folder, path));
  }

  private static TableSchema schema(TablePath path, StructType columns) {
    for (String name : columns.fieldNames()) {
      if (SystemColumns.isReserved(name)) {
        throw reservedName(path, name);
      }
    }
    try {
      return SparkTypes.fromStruct(columns);
    } catch (UnsupportedTypeException e) {
      throw unsupportedType(path, e);
    }
  }

  static LakestreamException reservedName(TablePath path, String name) {
    return invalid(
        path,
        "the column name '" + name + "' is reserved for the lake's system columns.",
        "Choose another name; reserved are "
            + String.join(", ", SystemColumns.TIERING)
            + " and names that begin with _hoodie_.");
  }

  static LakestreamException unsupportedType(TablePath path, UnsupportedTypeException e) {
    return LakestreamException.of(
        ErrorCode.UNSUPPORTED_TYPE,
        path,
        "the column '" + e.column() + "' has the type " + e.type() + ", which Fluss has not.",
        "Use a type that Fluss has, see the list of types in the documentation.",
        e);
  }

  /** Whether a property says what a table is once and for all. */
  static boolean isFixed(String property) {
    return SPARK_PROPERTIES.contains(property) || TableCatalog.PROP_LOCATION.equals(property);
  }

  private static List<String> partitionColumns(TablePath path, Transform[] partitions) {
    List<String> columns = new ArrayList<>();
    for (Transform transform : partitions) {
      if (!"identity".equals(transform.name())) {
        throw invalid(
            path,
            "the partitioning '" + transform.describe() + "' is not a plain column.",
            "Partition by columns; buckets are set with '" + BUCKET_NUMBER + "'.");
      }
      NamedReference reference = transform.references()[0];
      columns.add(String.join(".", reference.fieldNames()));
    }
    return columns;
  }

  private static List<String> columnList(
      TablePath path, TableSchema schema, Map<String, String> properties, String property) {
    String text = properties.get(property);
    if (text == null) {
      return List.of();
    }
    List<String> names =
        Arrays.stream(text.split(",")).map(String::trim).filter(n -> !n.isEmpty()).toList();
    for (String name : names) {
      if (schema.indexOf(name) < 0) {
        throw invalid(
            path,
            "'" + property + "' names the column '" + name + "', which the table does not have.",
            "Columns are "
                + schema.columns().stream().map(c -> c.name()).collect(Collectors.joining(", "))
                + ".");
      }
    }
    return names;
  }

  private static OptionalInt bucketNumber(TablePath path, Map<String, String> properties) {
    String text = properties.get(BUCKET_NUMBER);
    if (text == null) {
      return OptionalInt.empty();
    }
    try {
      int number = Integer.parseInt(text.trim());
      if (number > 0) {
        return OptionalInt.of(number);
      }
    } catch (NumberFormatException e) {
      // The error below says it, together with numbers that are too small.
    }
    throw invalid(
        path,
        "'" + BUCKET_NUMBER + "' is '" + text + "', not a whole number of 1 or more.",
        "Correct it or leave it out.");
  }

  /** Adds the properties by which {@link #parse} would make the same table again. */
  static void describe(LogTable table, Map<String, String> properties) {
    properties.put(BUCKET_NUMBER, Integer.toString(table.buckets()));
    if (table.hasPrimaryKey()) {
      properties.put(PRIMARY_KEY, String.join(",", table.primaryKey()));
    }
    if (!table.bucketColumns().isEmpty()) {
      properties.put(BUCKET_KEY, String.join(",", table.bucketColumns()));
    }
    if (table.comment() != null) {
      properties.put(TableCatalog.PROP_COMMENT, table.comment());
    }
    properties.put(TableCatalog.PROP_PROVIDER, LakestreamTableProvider.SHORT_NAME);
  }

  private static LakestreamException invalid(TablePath path, String problem, String remedy) {
    return LakestreamException.of(ErrorCode.INVALID_TABLE_DEFINITION, path, problem, remedy);
  }
}
