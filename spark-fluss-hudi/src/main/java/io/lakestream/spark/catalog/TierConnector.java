package io.lakestream.spark.catalog;

import io.lakestream.spark.fluss.FlussClusters;
import io.lakestream.spark.fluss.ReadSettings;
import io.lakestream.spark.hudi.HudiLakeCatalog;
import io.lakestream.spark.hudi.HudiLakeTables;
import io.lakestream.spark.lake.LakeTables;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.options.OptionResolver;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;

/** Joins the adapters to the ports; the only place that names them. */
final class TierConnector {
  /** Fluss's default of 500 makes many small polls; measured to be up to two thirds slower. */
  private static final int MAX_POLL_RECORDS = 20_000;

  private TierConnector() {}

  /** Both tiers; nothing is asked of either before the first use. */
  static Tiers connect(OptionResolver options) {
    return new Tiers(cluster(options), new HudiLakeCatalog(() -> hadoop(options)));
  }

  private static LogCluster cluster(OptionResolver options) {
    Map<String, String> client = new HashMap<>();
    for (String prefix : LakestreamOptions.CLIENT_PREFIXES) {
      options
          .underPrefix(prefix)
          .forEach((key, value) -> client.put(LakestreamOptions.CLIENT_PREFIX + key, value));
    }
    client.put("bootstrap.servers", options.require(LakestreamOptions.BOOTSTRAP_SERVERS));
    return FlussClusters.connect(
        client,
        options.get(LakestreamOptions.REQUEST_TIMEOUT),
        new ReadSettings(
            options.get(LakestreamOptions.POLL_TIMEOUT),
            options.get(LakestreamOptions.IDLE_TIMEOUT),
            MAX_POLL_RECORDS));
  }

  /** Opens lakes for writing. */
  static LakeTables lakeTables(SparkSession session, OptionResolver options) {
    return new HudiLakeTables(
        session,
        options.underPrefix(LakestreamOptions.HADOOP_PREFIX),
        options.get(LakestreamOptions.HEARTBEAT_TIMEOUT));
  }

  /** The Hadoop configuration of the session, with the {@code hadoop.*} options on top. */
  static Configuration hadoop(OptionResolver options) {
    Configuration configuration = SparkSession.active().sessionState().newHadoopConf();
    options.underPrefix(LakestreamOptions.HADOOP_PREFIX).forEach(configuration::set);
    return configuration;
  }
}
