package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.options.OptionResolver;
import io.lakestream.spark.read.ReadContext;
import io.lakestream.spark.tiering.OffsetsFileReader;
import io.lakestream.spark.tiering.RoundLimits;
import io.lakestream.spark.tiering.SparkRoundExecutor;
import io.lakestream.spark.tiering.TableOwner;
import io.lakestream.spark.tiering.TieringRound;
import io.lakestream.spark.tiering.TieringSettings;
import io.lakestream.spark.types.TablePath;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;

/**
 * A table of a catalog, with all that its rounds need.
 *
 * @param path the table
 * @param tiers the tiers of its catalog
 * @param options what holds for it
 * @param settings its rounds' settings
 */
record TieringTarget(
    TablePath path, Tiers tiers, OptionResolver options, TieringSettings settings) {
  /** By this property Fluss names the record key of a log table in Hudi. */
  private static final String RECORD_KEY = "hudi.hoodie.datasource.write.recordkey.field";

  /**
   * Finds a table.
   *
   * @param table {@code database.table}
   * @throws LakestreamException {@code INVALID_OPTION} if there is no such catalog or that is no
   *     name of a table, {@code LAKE_NOT_CONFIGURED} if nothing says where its lake shall be
   */
  static TieringTarget find(SparkSession session, String catalogName, String table) {
    LakestreamCatalog catalog = catalog(session, catalogName);
    String[] parts = table.split("\\.");
    if (parts.length != 2) {
      throw notATable(catalogName + "." + table);
    }
    TablePath path = new TablePath(parts[0], parts[1]);
    LakestreamTable loaded = TableLoader.load(table, catalog.tiers(), path, catalog.layers());
    ReadContext context = loaded.readContext(Map.of());
    String lakePath =
        context
            .lakePath()
            .orElseThrow(
                () ->
                    LakestreamException.of(
                        ErrorCode.LAKE_NOT_CONFIGURED,
                        path,
                        "nothing says where the table's lake shall be.",
                        "Set the table property 'lakestream.hudi.path' or the catalog setting"
                            + " 'hudi.catalog.path'."));
    OptionResolver options = context.options();
    return new TieringTarget(
        path,
        catalog.tiers(),
        options,
        new TieringSettings(lakePath, recordKey(loaded.description()), limits(options)));
  }

  /** The lakestream catalog of that name. */
  static LakestreamCatalog catalog(SparkSession session, String name) {
    CatalogPlugin plugin = session.sessionState().catalogManager().catalog(name);
    if (plugin instanceof LakestreamCatalog catalog) {
      return catalog;
    }
    throw notATable(name);
  }

  private static LakestreamException notATable(String name) {
    return LakestreamException.of(
        ErrorCode.INVALID_OPTION,
        name,
        "this is not a table of a lakestream catalog.",
        "Give the name of the catalog, and the table as database.table.");
  }

  private static RoundLimits limits(OptionResolver options) {
    return new RoundLimits(
        options.get(LakestreamOptions.ROUND_OFFSETS),
        options.get(LakestreamOptions.TASK_OFFSETS),
        options.get(LakestreamOptions.FOLD_MEMORY));
  }

  private static List<String> recordKey(LogTable table) {
    String columns = table.customProperties().get(RECORD_KEY);
    return columns == null
        ? List.of()
        : Arrays.stream(columns.split(",")).map(String::trim).toList();
  }

  /**
   * For how long instants of the lake can be read.
   *
   * @throws LakestreamException {@code INVALID_OPTION} if that is shorter than the longest job
   */
  Duration retention() {
    Duration retention = options.get(LakestreamOptions.RETENTION);
    Duration longestJob = options.get(LakestreamOptions.LONGEST_JOB);
    if (retention.compareTo(longestJob) < 0) {
      throw LakestreamException.of(
          ErrorCode.INVALID_OPTION,
          path,
          "'tiering.retention' is "
              + retention.toSeconds()
              + " s, but 'tiering.longest-job' is "
              + longestJob.toSeconds()
              + " s: files would be cleaned under a job that reads them.",
          "Set 'tiering.retention' to at least 'tiering.longest-job'.");
    }
    return retention;
  }

  /** Rounds of a table that its cluster leaves to whoever wants to tier it. */
  TieringRound round(SparkSession session) {
    return round(session, TableOwner.NOBODY);
  }

  TieringRound round(SparkSession session, TableOwner owner) {
    return new TieringRound(
        tiers.log(),
        TierConnector.lakeTables(session, options),
        new SparkRoundExecutor(session),
        OffsetsFileReader.hadoop(TierConnector.hadoop(options)),
        owner);
  }
}
