package io.lakestream.spark.hudi;

import io.lakestream.spark.lake.LakeTableDefinition;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Properties;
import org.apache.avro.Schema;
import org.apache.hudi.common.config.RecordMergeMode;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.model.HoodieTimelineTimeZone;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.storage.StorageConfiguration;
import org.apache.hudi.storage.StoragePath;

/**
 * Creates lake tables in the layout of Fluss's own tiering (FIP-24), with two properties of our own
 * that say whose table it is, and with the timeline in UTC, so that the time zones of writers do
 * not matter.
 */
final class HudiTableCreation {
  static final String TABLE_ID = "lakestream.table.id";
  static final String TABLE_PATH = "lakestream.table.path";

  /**
   * How a table's folders spell dates: {@code iso}, or as Fluss's own tiering if it is not there.
   */
  static final String PARTITION_DATES = "lakestream.partition.dates";

  private static final String ISO = "iso";

  /** Where Hudi's Flink catalog, and with it Fluss's own tiering, looks for a table's options. */
  private static final String FLINK_OPTIONS_FILE = "table_option.properties";

  private HudiTableCreation() {}

  static void create(
      LakeTableDefinition definition,
      List<String> recordKey,
      Schema schema,
      StorageConfiguration<?> storage)
      throws IOException {
    HoodieTableMetaClient client =
        HoodieTableMetaClient.newTableBuilder()
            .setTableType(tableType(definition))
            .setTableName(definition.table().table())
            .setRecordKeyFields(String.join(",", recordKey))
            .setPartitionFields(String.join(",", definition.partitionColumns()))
            .setKeyGeneratorType(keyGeneratorType(definition, recordKey))
            .setRecordMergeMode(RecordMergeMode.EVENT_TIME_ORDERING)
            .setHiveStylePartitioningEnable(false)
            .setUrlEncodePartitioning(false)
            .setPopulateMetaFields(true)
            .setShouldDropPartitionColumns(false)
            .setCDCEnabled(false)
            .setCommitTimezone(HoodieTimelineTimeZone.UTC)
            .setTableCreateSchema(schema.toString())
            .initTable(storage, definition.path());
    finish(definition, recordKey, client);
  }

  /**
   * Whether a creation by this class died half-way: Hudi's properties are there, but neither those
   * of the owner nor any instant.
   */
  static boolean isUnfinished(HoodieTableMetaClient client) {
    return client.getTableConfig().getString(TABLE_ID) == null
        && client.getActiveTimeline().empty()
        && client.getTableConfig().getTimelineTimezone() == HoodieTimelineTimeZone.UTC;
  }

  /** The second half of the creation; doing it again changes nothing. */
  static void finish(
      LakeTableDefinition definition, List<String> recordKey, HoodieTableMetaClient client)
      throws IOException {
    writeFlinkOptions(definition, recordKey, client);
    Properties owner = new Properties();
    owner.setProperty(TABLE_ID, Long.toString(definition.tableId()));
    owner.setProperty(TABLE_PATH, definition.table().toString());
    if (!definition.hudiHash()) {
      owner.setProperty(PARTITION_DATES, ISO);
    }
    HoodieTableConfig.update(client.getStorage(), client.getMetaPath(), owner);
  }

  /**
   * What the keys of a table are. Fluss's own tiering writes only tables with Hudi's hash, and
   * those that it began do not name their owner as ours do.
   */
  static RecordKeys.Purpose keys(LakeTableDefinition definition, HoodieTableConfig config) {
    if (!definition.hasPrimaryKey()) {
      return RecordKeys.Purpose.LABEL;
    }
    boolean oursAlone = config.getString(TABLE_ID) != null && !definition.hudiHash();
    return oursAlone ? RecordKeys.Purpose.IDENTITY : RecordKeys.Purpose.IDENTITY_OF_OTHERS;
  }

  /** How the folders of a table are spelled. */
  static PartitionPaths partitionPaths(LakeTableDefinition definition, HoodieTableConfig config) {
    return PartitionPaths.asTiered(
        definition.schema(),
        definition.partitionColumns(),
        ISO.equals(config.getString(PARTITION_DATES)));
  }

  static HoodieTableType tableType(LakeTableDefinition definition) {
    return definition.hasPrimaryKey()
        ? HoodieTableType.MERGE_ON_READ
        : HoodieTableType.COPY_ON_WRITE;
  }

  private static String keyGeneratorType(LakeTableDefinition definition, List<String> recordKey) {
    if (definition.partitionColumns().isEmpty()) {
      return "NON_PARTITION_AVRO";
    }
    boolean simple = recordKey.size() == 1 && definition.partitionColumns().size() == 1;
    return simple ? "SIMPLE_AVRO" : "COMPLEX_AVRO";
  }

  /**
   * Whether another engine may find a row's file group by Hudi's hash of its key. Else a reader
   * that was told so would look for a key in the wrong bucket, and a writer would put it there. Log
   * tables have several groups per bucket, of which Hudi's bucket index refuses the second.
   */
  private static boolean isBucketIndex(LakeTableDefinition definition) {
    return definition.hudiHash() && definition.hasPrimaryKey();
  }

  private static void writeFlinkOptions(
      LakeTableDefinition definition, List<String> recordKey, HoodieTableMetaClient client)
      throws IOException {
    String recordKeys = String.join(",", recordKey);
    String partitions = String.join(",", definition.partitionColumns());
    String bucketColumns = String.join(",", definition.bucketColumns());
    Properties options = new Properties();
    options.setProperty("connector", "hudi");
    options.setProperty("storageType", "hudi");
    options.setProperty("mode", "dfs");
    options.setProperty("path", definition.path());
    options.setProperty("table.external", "true");
    options.setProperty("table.type", tableType(definition).name());
    if (isBucketIndex(definition)) {
      options.setProperty("index.type", "BUCKET");
      options.setProperty("hoodie.bucket.index.hash.field", bucketColumns);
      options.setProperty(
          "hoodie.bucket.index.num.buckets", Integer.toString(definition.buckets()));
    }
    options.setProperty("hoodie.datasource.write.recordkey.field", recordKeys);
    options.setProperty("hoodie.datasource.write.partitionpath.field", partitions);
    options.setProperty("pk.columns", recordKeys);
    options.setProperty("fluss.bucket.keys", bucketColumns);
    options.setProperty(
        "fluss.bucket-aware",
        Boolean.toString(definition.hasPrimaryKey() || !bucketColumns.isEmpty()));
    options.setProperty("fluss.partition.keys", partitions);
    if (!partitions.isEmpty()) {
      options.setProperty("partition.columns", partitions);
    }
    StoragePath file = new StoragePath(client.getMetaAuxiliaryPath(), FLINK_OPTIONS_FILE);
    try (OutputStream output = client.getStorage().create(file, true)) {
      options.store(output, "Table options");
    }
  }
}
