package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeCatalog;
import io.lakestream.spark.lake.LakeTable;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;

/** Opens Hudi tables as lake tables. Thread-safe if the configuration supplier is. */
public final class HudiLakeCatalog implements LakeCatalog {
  private final Supplier<Configuration> configuration;

  /**
   * @param configuration the Hadoop configuration with which files are reached, asked for at each
   *     {@link #open}, on the driver only
   */
  public HudiLakeCatalog(Supplier<Configuration> configuration) {
    this.configuration = configuration;
  }

  @Override
  public LakeTable open(
      TablePath table,
      String path,
      TableSchema schema,
      List<String> partitionColumns,
      int buckets) {
    Configuration conf = new Configuration(configuration.get());
    HoodieTableMetaClient client = HudiMetaClients.open(table, path, conf);
    HoodieTableConfig config = client.getTableConfig();
    TableFeatures.check(table, path, config);
    checkOwner(table, path, config);
    checkPartitions(table, path, schema, partitionColumns, config);
    Schema lakeSchema = HudiTableSchema.read(table, client);
    SchemaAgreement.check(table, schema, lakeSchema);
    return new HudiLakeTable(
        table, client, conf, schema, partitionPaths(schema, partitionColumns, config), buckets);
  }

  /** A lake that our rounds made tells whose it is; one that others made does not. */
  private static void checkOwner(TablePath table, String path, HoodieTableConfig config) {
    String owner = config.getString(HudiTableCreation.TABLE_PATH);
    if (owner != null && !owner.equals(table.toString())) {
      throw LakestreamException.of(
          ErrorCode.LAKE_MISMATCH,
          table,
          "the Hudi table at " + path + " is the lake of " + owner + ".",
          "Check that the lake path is the table's own.");
    }
  }

  private static void checkPartitions(
      TablePath table,
      String path,
      TableSchema schema,
      List<String> partitionColumns,
      HoodieTableConfig config) {
    List<String> stored = Arrays.asList(config.getPartitionFields().orElse(new String[0]));
    if (!stored.equals(partitionColumns)) {
      throw LakestreamException.of(
          ErrorCode.LAKE_MISMATCH,
          table,
          "the table is partitioned by "
              + partitionColumns
              + " but the Hudi table at "
              + path
              + " by "
              + stored
              + ".",
          "Check that the lake path is the table's own.");
    }
    for (String column : partitionColumns) {
      if (!PartitionPaths.supports(schema.column(column).type())) {
        throw LakestreamException.of(
            ErrorCode.LAKE_UNSUPPORTED,
            table,
            "partition column "
                + column
                + " has the type "
                + schema.column(column).type()
                + ", whose values cannot be told from a folder name.",
            "Partition by a text, number, date or time column.");
      }
    }
  }

  private static PartitionPaths partitionPaths(
      TableSchema schema, List<String> partitionColumns, HoodieTableConfig config) {
    return new PartitionPaths(
        PartitionPaths.columns(schema, partitionColumns),
        Boolean.parseBoolean(config.getHiveStylePartitioningEnable()),
        Boolean.parseBoolean(config.getUrlEncodePartitioning()));
  }
}
