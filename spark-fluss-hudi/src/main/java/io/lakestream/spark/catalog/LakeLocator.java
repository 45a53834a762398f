package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.options.OptionResolver;
import io.lakestream.spark.options.Scope;
import io.lakestream.spark.tiering.TieringProperties;
import io.lakestream.spark.types.TablePath;
import java.util.Optional;
import java.util.Set;

/**
 * Finds a table's lake. What the query says wins; then the table's own property; then what a Fluss
 * 1.x cluster says of a table that it tiers to Hudi; then the catalog's folder. A lake whose place
 * only a Hive metastore knows is not guessed.
 */
final class LakeLocator {
  private static final String MODE = "table.datalake.hudi.mode";
  private static final String CLUSTER_FOLDER = "table.datalake.hudi.catalog.path";
  private static final String LAKE_DATABASE = "table.datalake.database-name";
  private static final String LAKE_TABLE = "table.datalake.table-name";
  private static final String CUSTOM_PATH = "hudi.path";
  private static final String FILE_SYSTEM_MODE = "dfs";

  private LakeLocator() {}

  /**
   * Where the lake is, empty if nobody says.
   *
   * @throws LakestreamException {@code INVALID_OPTION} if that is no place for a lake, or if the
   *     table itself says it and the operator allows other places only
   */
  static Optional<String> locate(LogTable table, OptionResolver options) {
    Optional<String> byQuery =
        options
            .find(LakestreamOptions.HUDI_PATH, Set.of(Scope.QUERY))
            .or(() -> inFolder(table, options, Set.of(Scope.QUERY)));
    Optional<String> byTable = byQuery.isPresent() ? Optional.empty() : byTable(table, options);
    byTable.ifPresent(
        path ->
            LakePaths.requireAllowed(
                table.path(),
                LakePaths.requireLegal(table.path(), path),
                options.find(LakestreamOptions.HUDI_ALLOWED_PATHS),
                options.find(LakestreamOptions.HUDI_CATALOG_PATH)));
    Optional<String> path =
        byQuery
            .or(() -> byTable)
            .or(() -> byCluster(table, options))
            .or(() -> inFolder(table, options, LakestreamOptions.HUDI_CATALOG_PATH.scopes()));
    path.ifPresent(known -> LakePaths.requireLegal(table.path(), known));
    return path;
  }

  /** What the properties of the table itself say, which anybody who may make tables can write. */
  private static Optional<String> byTable(LogTable table, OptionResolver options) {
    Optional<String> own = options.find(LakestreamOptions.HUDI_PATH, Set.of(Scope.TABLE));
    return own.isPresent() || !TieringProperties.isForHudi(table)
        ? own
        : Optional.ofNullable(table.customProperties().get(CUSTOM_PATH));
  }

  private static Optional<String> inFolder(
      LogTable table, OptionResolver options, Set<Scope> scopes) {
    return options
        .find(LakestreamOptions.HUDI_CATALOG_PATH, scopes)
        .map(folder -> under(folder, lakeDatabase(table), lakeTable(table)));
  }

  private static String lakeDatabase(LogTable table) {
    return LakePaths.requireFolderName(
        table.path(),
        LAKE_DATABASE,
        table.properties().getOrDefault(LAKE_DATABASE, table.path().database()));
  }

  private static String lakeTable(LogTable table) {
    return LakePaths.requireFolderName(
        table.path(),
        LAKE_TABLE,
        table.properties().getOrDefault(LAKE_TABLE, table.path().table()));
  }

  private static Optional<String> byCluster(LogTable table, OptionResolver options) {
    if (!TieringProperties.isForHudi(table)) {
      return Optional.empty();
    }
    String mode = table.properties().getOrDefault(MODE, "hms");
    String folder = table.properties().get(CLUSTER_FOLDER);
    if (FILE_SYSTEM_MODE.equalsIgnoreCase(mode) && folder != null) {
      return Optional.of(under(folder, lakeDatabase(table), lakeTable(table)));
    }
    Optional<String> inCatalogFolder =
        inFolder(table, options, LakestreamOptions.HUDI_CATALOG_PATH.scopes());
    if (inCatalogFolder.isEmpty()) {
      throw LakestreamException.of(
          ErrorCode.LAKE_NOT_CONFIGURED,
          table.path(),
          "the cluster keeps its Hudi tables in catalog mode '"
              + mode
              + "', which does not tell the folder of the table.",
          "Set the option 'hudi.path' to the table's folder.");
    }
    return inCatalogFolder;
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
