package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.options.OptionLayer;
import io.lakestream.spark.options.OptionResolver;
import io.lakestream.spark.types.TablePath;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * {@code format("lakestream")}: a table by {@code load("db.table")} or the option {@code table}, in
 * the cluster of the option {@code bootstrap.servers}; or {@code load("catalog.db.table")} with the
 * settings of a configured {@link LakestreamCatalog}.
 */
public final class LakestreamTableProvider implements TableProvider, DataSourceRegister {
  static final String SHORT_NAME = "lakestream";

  @Override
  public String shortName() {
    return SHORT_NAME;
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return load(options.asCaseSensitiveMap()).schema();
  }

  @Override
  public Transform[] inferPartitioning(CaseInsensitiveStringMap options) {
    return new Transform[0];
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return load(properties);
  }

  private static LakestreamTable load(Map<String, String> given) {
    OptionLayer layer = OptionLayer.query(given);
    OptionResolver options = new OptionResolver(SHORT_NAME, List.of(layer));
    String name = options.require(LakestreamOptions.TABLE_NAME);
    String[] parts = name.split("\\.");
    if (parts.length == 3) {
      LakestreamCatalog catalog = catalog(parts[0], name);
      return catalog.load(new TablePath(parts[1], parts[2]), layer);
    }
    if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
      throw LakestreamException.of(
          ErrorCode.INVALID_OPTION,
          name,
          "this is not the name of a table.",
          "Give " + LakestreamOptions.TABLE_NAME.range() + ".");
    }
    Tiers tiers = TierConnector.connect(options);
    return TableLoader.load(name, tiers, new TablePath(parts[0], parts[1]), List.of(layer));
  }

  private static LakestreamCatalog catalog(String catalogName, String name) {
    CatalogPlugin plugin =
        SparkSession.active().sessionState().catalogManager().catalog(catalogName);
    if (plugin instanceof LakestreamCatalog catalog) {
      return catalog;
    }
    throw LakestreamException.of(
        ErrorCode.INVALID_OPTION,
        name,
        "'"
            + catalogName
            + "' is not a lakestream catalog but "
            + plugin.getClass().getName()
            + ".",
        "Set 'spark.sql.catalog."
            + catalogName
            + "' to "
            + LakestreamCatalog.class.getName()
            + ".");
  }
}
