package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.options.OptionResolver;
import io.lakestream.spark.read.ReadContext;
import io.lakestream.spark.tiering.OffsetsFileReader;
import io.lakestream.spark.tiering.RoundLimits;
import io.lakestream.spark.tiering.RoundResult;
import io.lakestream.spark.tiering.SparkRoundExecutor;
import io.lakestream.spark.tiering.TieringRound;
import io.lakestream.spark.tiering.TieringSettings;
import io.lakestream.spark.types.TablePath;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;

/**
 * Tiering from Java: one round of one table of a configured {@link LakestreamCatalog}, and the
 * compaction of a primary-key table's lake. Thread-safe, but run one round per table at a time.
 */
public final class LakestreamTiering {
  /** By this property Fluss names the record key of a log table in Hudi. */
  private static final String RECORD_KEY = "hudi.hoodie.datasource.write.recordkey.field";

  private LakestreamTiering() {}

  /**
   * Moves what is new in the table's log into its lake.
   *
   * @param catalog the name of the catalog in the session
   * @param table {@code database.table}
   * @throws LakestreamException see {@link TieringRound#run}
   */
  public static RoundResult tierOnce(SparkSession session, String catalog, String table) {
    Target target = target(session, catalog, table);
    return round(session, target).run(target.path(), target.settings());
  }

  /**
   * Compacts the lake of a primary-key table.
   *
   * @return the requested time of the compaction, empty if there was nothing to compact
   */
  public static Optional<String> compact(SparkSession session, String catalog, String table) {
    Target target = target(session, catalog, table);
    return round(session, target).compact(target.path(), target.settings(), 1);
  }

  private record Target(
      TablePath path, Tiers tiers, OptionResolver options, TieringSettings settings) {}

  private static Target target(SparkSession session, String catalogName, String name) {
    CatalogPlugin plugin = session.sessionState().catalogManager().catalog(catalogName);
    String[] parts = name.split("\\.");
    if (!(plugin instanceof LakestreamCatalog catalog) || parts.length != 2) {
      throw LakestreamException.of(
          ErrorCode.INVALID_OPTION,
          catalogName + "." + name,
          "this is not a table of a lakestream catalog.",
          "Give the name of the catalog, and the table as database.table.");
    }
    TablePath path = new TablePath(parts[0], parts[1]);
    LakestreamTable table = TableLoader.load(name, catalog.tiers(), path, catalog.layers());
    ReadContext context = table.readContext(Map.of());
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
    return new Target(
        path,
        catalog.tiers(),
        context.options(),
        new TieringSettings(lakePath, recordKey(table.description()), limits(context.options())));
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

  private static TieringRound round(SparkSession session, Target target) {
    return new TieringRound(
        target.tiers().log(),
        TierConnector.lakeTables(session, target.options()),
        new SparkRoundExecutor(session),
        OffsetsFileReader.hadoop(TierConnector.hadoop(target.options())));
  }
}
