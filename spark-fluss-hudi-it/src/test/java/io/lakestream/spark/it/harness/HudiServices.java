package io.lakestream.spark.it.harness;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.client.SparkRDDWriteClient;
import org.apache.hudi.client.common.HoodieSparkEngineContext;
import org.apache.hudi.common.model.HoodieTimelineTimeZone;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.TableSchemaResolver;
import org.apache.hudi.common.table.timeline.HoodieInstantTimeGenerator;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.hudi.storage.hadoop.HadoopStorageConfiguration;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Hudi's own table services on the lake of a table, as another tool would run them: they know
 * nothing of Fluss.
 */
public final class HudiServices {
  private static final Map<String, String> NOTHING_ON_ITS_OWN =
      Map.of(
          "hoodie.clean.automatic", "false",
          "hoodie.archive.automatic", "false",
          "hoodie.metadata.compact.max.delta.commits", "1",
          "hoodie.embed.timeline.server", "false");

  private static final String REBASE = "spark.sql.parquet.datetimeRebaseModeInWrite";

  private final Environment environment;
  private final TestTable table;

  private HudiServices(Environment environment, TestTable table) {
    this.environment = environment;
    this.table = table;
  }

  public static HudiServices of(Environment environment, TestTable table) {
    return new HudiServices(environment, table);
  }

  /** Removes all files that the newest commit does not need. */
  public void clean() {
    with(
        Map.of(
            "hoodie.clean.policy", "KEEP_LATEST_COMMITS",
            "hoodie.clean.commits.retained", "1"),
        client -> client.clean());
  }

  /** Moves all but the newest two instants to the archive. */
  public void archive() {
    with(
        Map.of(
            "hoodie.keep.min.commits", "2",
            "hoodie.keep.max.commits", "3",
            "hoodie.clean.commits.retained", "1"),
        client -> {
          client.archive();
          return null;
        });
  }

  /** Plans to cluster all files, if there are some, and does not do it; gives the instant. */
  public Optional<String> scheduleClustering() {
    return with(
        Map.of("hoodie.clustering.plan.strategy.small.file.limit", "629145600"),
        client -> client.scheduleClustering(Option.empty()).toJavaOptional().map(Object::toString));
  }

  /** Does what {@link #scheduleClustering} planned. */
  public void cluster(String instant) {
    with(Map.of(), client -> client.cluster(instant, true));
  }

  /** Plans a compaction, if there are log files, and does not do it; gives the instant. */
  public Optional<String> scheduleCompaction() {
    return with(
        Map.of("hoodie.compact.inline.max.delta.commits", "1"),
        client -> client.scheduleCompaction(Option.empty()).toJavaOptional().map(Object::toString));
  }

  private HoodieTableMetaClient metaClient() {
    return HoodieTableMetaClient.builder()
        .setConf(new HadoopStorageConfiguration(new Configuration()))
        .setBasePath(table.lakeDirectory().toString())
        .build();
  }

  /** Marks a planned compaction as begun, as if its writer had died then. */
  public void beginCompaction(String instant) {
    HoodieTableMetaClient client = metaClient();
    client
        .getActiveTimeline()
        .transitionCompactionRequestedToInflight(
            client.getInstantGenerator().getCompactionRequestedInstant(instant));
  }

  /** Does what {@link #scheduleCompaction} planned. */
  public void compact(String instant) {
    with(
        Map.of(),
        client -> {
          var result = client.compact(instant);
          client.commitCompaction(instant, result, Option.empty());
          return null;
        });
  }

  private String schema() {
    try {
      return new TableSchemaResolver(metaClient()).getTableAvroSchema(false).toString();
    } catch (Exception e) {
      throw new IllegalStateException("the lake of " + table.path() + " has no schema", e);
    }
  }

  private <T> T with(Map<String, String> settings, Function<SparkRDDWriteClient<?>, T> action) {
    HoodieWriteConfig.Builder config =
        HoodieWriteConfig.newBuilder()
            .withPath(table.lakeDirectory().toString())
            .withSchema(schema());
    for (Map<String, String> values : List.of(NOTHING_ON_ITS_OWN, settings)) {
      config.withProps(values);
    }
    // The lakes' timelines are in UTC, and a client of Hudi's does not look.
    HoodieInstantTimeGenerator.setCommitTimeZone(HoodieTimelineTimeZone.UTC);
    JavaSparkContext context =
        JavaSparkContext.fromSparkContext(environment.spark().sparkContext());
    // Spark's default is to fail on dates before the Gregorian calendar. Tasks of jobs that are no
    // queries have the local properties only.
    context.setLocalProperty(REBASE, "CORRECTED");
    environment.spark().conf().set(REBASE, "CORRECTED");
    try (SparkRDDWriteClient<?> client =
        new SparkRDDWriteClient<>(new HoodieSparkEngineContext(context), config.build())) {
      return action.apply(client);
    } finally {
      environment.spark().conf().unset(REBASE);
      context.setLocalProperty(REBASE, null);
    }
  }
}
