package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeTableDefinition;
import io.lakestream.spark.lake.LakeTableWriter;
import io.lakestream.spark.lake.LakeTables;
import io.lakestream.spark.types.SystemColumns;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.TableSchemaResolver;
import org.apache.hudi.exception.HoodieException;
import org.apache.hudi.storage.StorageConfiguration;
import org.apache.hudi.storage.hadoop.HadoopStorageConfiguration;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Opens Hudi tables for writing. Thread-safe. */
public final class HudiLakeTables implements LakeTables {
  private final JavaSparkContext context;

  /** What tasks cannot take from the Spark application's own configuration. */
  private final Map<String, String> hadoopOptions;

  private final Duration heartbeatTimeout;

  /**
   * @param hadoopOptions Hadoop options on top of those of the Spark application, for example the
   *     credentials of the lake's file system
   * @param heartbeatTimeout how long a writer may be silent before its pending instant counts as
   *     dead; the same for all writers of a table
   */
  public HudiLakeTables(
      SparkSession session, Map<String, String> hadoopOptions, Duration heartbeatTimeout) {
    this.context = JavaSparkContext.fromSparkContext(session.sparkContext());
    Map<String, String> all = setAtRunTime(context.hadoopConfiguration());
    all.putAll(hadoopOptions);
    this.hadoopOptions = Map.copyOf(all);
    this.heartbeatTimeout = heartbeatTimeout;
  }

  private static Map<String, String> setAtRunTime(Configuration configuration) {
    Configuration base = HudiWriteClients.hadoop(Map.of());
    Map<String, String> options = new HashMap<>();
    for (Map.Entry<String, String> entry : configuration) {
      if (!entry.getValue().equals(base.getRaw(entry.getKey()))) {
        options.put(entry.getKey(), entry.getValue());
      }
    }
    return options;
  }

  @Override
  public LakeTableWriter openOrCreate(LakeTableDefinition definition) {
    KeyTypes.check(definition);
    Schema schema = LakeAvroSchema.of(definition);
    StorageConfiguration<?> storage =
        new HadoopStorageConfiguration(HudiWriteClients.hadoop(hadoopOptions));
    try {
      HoodieTableMetaClient client = open(definition, schema, storage);
      TableFeatures.requireWhole(definition.table(), definition.path(), client.getTableConfig());
      checkOwner(definition, client.getTableConfig());
      checkSchema(definition, schema, client);
      List<String> recordKey = storedRecordKey(definition, client.getTableConfig());
      HudiWriteClients clients =
          new HudiWriteClients(
              definition.path(),
              client.getTableConfig().getTableName(),
              schema.toString(),
              HudiWriteOptions.of(definition, client.getTableConfig()),
              hadoopOptions);
      return new HudiLakeTableWriter(context, definition, recordKey, clients, heartbeatTimeout);
    } catch (IOException | HoodieException | IllegalArgumentException failure) {
      throw LakestreamException.of(
          ErrorCode.TIERING_FAILED,
          definition.table(),
          "the Hudi table at " + definition.path() + " cannot be opened: " + failure.getMessage(),
          "Check the path and its file system.",
          failure);
    }
  }

  private static HoodieTableMetaClient open(
      LakeTableDefinition definition, Schema schema, StorageConfiguration<?> storage)
      throws IOException {
    LakeFolder folder = new LakeFolder(definition, storage);
    if (!folder.isHudiTable()) {
      folder.checkFree();
      HudiTableCreation.create(definition, recordKey(definition, schema), schema, storage);
    }
    HoodieTableMetaClient client = metaClient(definition, storage);
    if (HudiTableCreation.isUnfinished(client)) {
      HudiTableCreation.finish(definition, recordKey(definition, schema), client);
    }
    return client;
  }

  private static HoodieTableMetaClient metaClient(
      LakeTableDefinition definition, StorageConfiguration<?> storage) {
    return HoodieTableMetaClient.builder()
        .setBasePath(definition.path())
        .setConf(storage.newInstance())
        .build();
  }

  private static List<String> recordKey(LakeTableDefinition definition, Schema schema) {
    if (definition.hasPrimaryKey()) {
      return definition.primaryKey();
    }
    for (String name : definition.recordKey()) {
      if (schema.getField(name) == null) {
        throw LakestreamException.of(
            ErrorCode.TIERING_REFUSED,
            definition.table(),
            "the record key names the column " + name + ", which the table does not have.",
            "Name columns of the table.");
      }
    }
    if (!definition.recordKey().isEmpty()) {
      return definition.recordKey();
    }
    return definition.bucketColumns().isEmpty()
        ? List.of(LakeAvroSchema.BUCKET_COLUMN, LakeAvroSchema.OFFSET_COLUMN)
        : definition.bucketColumns();
  }

  private static List<String> storedRecordKey(
      LakeTableDefinition definition, HoodieTableConfig config) {
    List<String> stored = config.getRecordKeyFields().map(List::of).orElse(List.of());
    boolean other = definition.hasPrimaryKey() && !stored.equals(definition.primaryKey());
    if (stored.isEmpty() || other) {
      throw LakestreamException.of(
          ErrorCode.LAKE_MISMATCH,
          definition.table(),
          "the Hudi table at "
              + definition.path()
              + " has the record key "
              + stored
              + " but the primary key is "
              + definition.primaryKey()
              + ".",
          "Give the table a lake path of its own.");
    }
    return stored;
  }

  private static void checkOwner(LakeTableDefinition definition, HoodieTableConfig config) {
    String id = config.getString(HudiTableCreation.TABLE_ID);
    boolean otherTable = id != null && !id.equals(Long.toString(definition.tableId()));
    if (otherTable || config.getTableType() != HudiTableCreation.tableType(definition)) {
      throw LakestreamException.of(
          ErrorCode.LAKE_MISMATCH,
          definition.table(),
          "the "
              + config.getTableType()
              + " table at "
              + definition.path()
              + " belongs to "
              + (id == null
                  ? "another kind of table"
                  : config.getString(HudiTableCreation.TABLE_PATH) + " with table id " + id)
              + ", and this table has the id "
              + definition.tableId()
              + ".",
          "Give the table a lake path of its own, or drop the old lake table.");
    }
  }

  private static void checkSchema(
      LakeTableDefinition definition, Schema schema, HoodieTableMetaClient client) {
    Schema stored;
    try {
      stored = new TableSchemaResolver(client).getTableAvroSchema(false);
    } catch (Exception failure) {
      throw LakestreamException.of(
          ErrorCode.LAKE_UNREADABLE,
          definition.table(),
          "the schema of the Hudi table at " + definition.path() + " cannot be read.",
          "Check the table's newest commit.",
          failure);
    }
    if (client.getTableConfig().getString(HudiTableCreation.TABLE_ID) == null) {
      checkBegunByTiering(definition, stored);
    }
    for (Schema.Field field : stored.getFields()) {
      Schema.Field declared = schema.getField(field.name());
      if (declared == null || !declared.schema().equals(field.schema())) {
        throw LakestreamException.of(
            ErrorCode.SCHEMA_MISMATCH,
            definition.table(),
            "the column "
                + field.name()
                + " is "
                + field.schema()
                + " in the lake at "
                + definition.path()
                + " but would be written as "
                + (declared == null ? "nothing" : declared.schema())
                + ".",
            "Give the table a lake path of its own.");
      }
    }
  }

  /** Fluss's own tiering leaves no mark in the properties, but all its tables have its columns. */
  private static void checkBegunByTiering(LakeTableDefinition definition, Schema stored) {
    for (String column : SystemColumns.TIERING) {
      if (stored.getField(column) == null) {
        throw LakestreamException.of(
            ErrorCode.LAKE_MISMATCH,
            definition.table(),
            "the Hudi table at "
                + definition.path()
                + " was begun by no tiering service: it has no column "
                + column
                + ".",
            "Give the table a lake path of its own.");
      }
    }
  }
}
