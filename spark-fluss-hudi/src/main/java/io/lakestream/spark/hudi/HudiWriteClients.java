package io.lakestream.spark.hudi;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.client.SparkRDDWriteClient;
import org.apache.hudi.client.common.HoodieSparkEngineContext;
import org.apache.hudi.common.engine.EngineType;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.hudi.storage.StorageConfiguration;
import org.apache.hudi.storage.hadoop.HadoopStorageConfiguration;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.deploy.SparkHadoopUtil;

/**
 * Opens Hudi's clients for writing one table, on the driver and in tasks. Holds values only, so
 * that it can be shipped.
 *
 * @param path the table's folder
 * @param tableName Hudi's name of the table
 * @param avroSchema the write schema as Avro JSON, without Hudi's meta columns
 * @param options Hudi's write options
 * @param hadoopOptions Hadoop options on top of those of the Spark application
 */
record HudiWriteClients(
    String path,
    String tableName,
    String avroSchema,
    Map<String, String> options,
    Map<String, String> hadoopOptions)
    implements Serializable {

  static Configuration hadoop(Map<String, String> hadoopOptions) {
    Configuration configuration = SparkHadoopUtil.get().newConfiguration(SparkEnv.get().conf());
    hadoopOptions.forEach(configuration::set);
    return configuration;
  }

  /** These clients with other options. */
  HudiWriteClients with(Map<String, String> others) {
    Map<String, String> all = new HashMap<>(options);
    all.putAll(others);
    return new HudiWriteClients(path, tableName, avroSchema, all, hadoopOptions);
  }

  HoodieTableMetaClient metaClient() {
    return HoodieTableMetaClient.builder()
        .setBasePath(path)
        .setConf(new HadoopStorageConfiguration(hadoop(hadoopOptions)))
        .setLoadActiveTimelineOnLoad(true)
        .build();
  }

  HoodieWriteConfig writeConfig() {
    Properties properties = new Properties();
    properties.putAll(options);
    return HoodieWriteConfig.newBuilder()
        .withEngineType(EngineType.SPARK)
        .withPath(path)
        .forTable(tableName)
        .withSchema(avroSchema)
        .withProps(properties)
        .build();
  }

  SparkRDDWriteClient<Object> writeClient(JavaSparkContext context) {
    return new SparkRDDWriteClient<>(
        new EngineContext(context, new HadoopStorageConfiguration(hadoop(hadoopOptions))),
        writeConfig());
  }

  /** Hudi's engine on Spark takes the Hadoop options of the application alone. */
  private static final class EngineContext extends HoodieSparkEngineContext {
    private final StorageConfiguration<?> storage;

    EngineContext(JavaSparkContext context, StorageConfiguration<?> storage) {
      super(context);
      this.storage = storage;
    }

    @Override
    public StorageConfiguration<?> getStorageConf() {
      return storage;
    }
  }
}
