package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.options.OptionResolver;
import io.lakestream.spark.options.Scope;
import io.lakestream.spark.types.TablePath;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds a table's lake. What the query says wins; then the table's own property; then what a Fluss
 * 1.x cluster says of a table that it tiers to Hudi; then the catalog's folder. A lake whose place
 * only a Hive metastore knows is not guessed.
 */
final class LakeLocator {
  private static final String FORMAT = "table.datalake.format";
  private static final String MODE = "table.datalake.hudi.mode";
  private static final String CLUSTER_FOLDER = "table.datalake.hudi.catalog.path";
  private static final String LAKE_DATABASE = "table.datalake.database-name";
  private static final String LAKE_TABLE = "table.datalake.table-name";
  private static final String CUSTOM_PATH = "hudi.path";
  private static final String FILE_SYSTEM_MODE = "dfs";

  private LakeLocator() {}

  /** Where the lake is, empty if nobody says. */
  static Optional<String> locate(LogTable table, OptionResolver options) {
    Optional<String> given =
        options
            .find(LakestreamOptions.HUDI_PATH, Set.of(Scope.QUERY))
            .or(() -> inFolder(table, options, Set.of(Scope.QUERY)))
            .or(() -> options.find(LakestreamOptions.HUDI_PATH));
    if (given.isPresent()) {
      return given;
    }
    Map<String, String> properties = table.properties();
    if ("hudi".equalsIgnoreCase(properties.get(FORMAT))) {
      return Optional.of(byCluster(table, options));
    }
    return inFolder(table, options, LakestreamOptions.HUDI_CATALOG_PATH.scopes());
  }

  private static Optional<String> inFolder(
      LogTable table, OptionResolver options, Set<Scope> scopes) {
    return options
        .find(LakestreamOptions.HUDI_CATALOG_PATH, scopes)
        .map(
            folder ->
                under(
                    folder,
                    table.properties().getOrDefault(LAKE_DATABASE, table.path().database()),
                    table.properties().getOrDefault(LAKE_TABLE, table.path().table())));
  }

  private static String byCluster(LogTable table, OptionResolver options) {
    String path = table.customProperties().get(CUSTOM_PATH);
    if (path != null) {
      return path;
    }
    String database = table.properties().getOrDefault(LAKE_DATABASE, table.path().database());
    String name = table.properties().getOrDefault(LAKE_TABLE, table.path().table());
    String mode = table.properties().getOrDefault(MODE, "hms");
    String folder = table.properties().get(CLUSTER_FOLDER);
    if (FILE_SYSTEM_MODE.equalsIgnoreCase(mode) && folder != null) {
      return under(folder, database, name);
    }
    return inFolder(table, options, LakestreamOptions.HUDI_CATALOG_PATH.scopes())
        .orElseThrow(
            () ->
                LakestreamException.of(
                    ErrorCode.LAKE_NOT_CONFIGURED,
                    table.path(),
                    "the cluster keeps its Hudi tables in catalog mode '"
                        + mode
                        + "', which does not tell the folder of the table.",
                    "Set the option 'hudi.path' to the table's folder."));
  }

  /** The folder that a table gets under a catalog folder. */
  static String under(String folder, TablePath table) {
    return under(folder, table.database(), table.table());
  }

  private static String under(String folder, String database, String table) {
    String trimmed = folder.endsWith("/") ? folder.substring(0, folder.length() - 1) : folder;
    return trimmed + "/" + database + "/" + table;
  }
}
