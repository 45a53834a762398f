package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeHousekeeping;
import io.lakestream.spark.lake.LakeTableDefinition;
import io.lakestream.spark.types.TablePath;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hudi.avro.model.HoodieCleanMetadata;
import org.apache.hudi.client.SparkRDDWriteClient;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.util.Option;
import org.apache.spark.api.java.JavaSparkContext;

/** Hudi's table services, run on their own. */
final class HudiHousekeeping implements LakeHousekeeping {
  /** The fewest instants that stay on the active timeline, whatever their age. */
  private static final int FEWEST_ACTIVE_INSTANTS = 20;

  private static final int ARCHIVED_AT_ONCE = 10;

  private final JavaSparkContext context;
  private final TablePath table;
  private final HudiWriteClients clients;
  private final HoodieTableMetaClient metaClient;
  private final TableServiceClaim claim;
  private final HudiClustering clustering;

  HudiHousekeeping(
      JavaSparkContext context,
      LakeTableDefinition definition,
      HudiWriteClients clients,
      HoodieTableMetaClient metaClient,
      HudiHeartbeats heartbeats) {
    this.context = context;
    this.table = definition.table();
    this.clients = clients;
    this.metaClient = metaClient;
    this.claim = new TableServiceClaim(table, clients.path(), heartbeats);
    this.clustering = new HudiClustering(context, definition, clients, metaClient, heartbeats);
  }

  @Override
  public Optional<String> compact(int minimumRounds) {
    return HudiInstantClock.inZoneOf(
        metaClient,
        table,
        () -> {
          try (SparkRDDWriteClient<Object> client = clients.writeClient(context)) {
            // A compaction that died is run again; Hudi rolls back what it had written.
            Optional<String> instant = pendingCompaction();
            if (instant.isEmpty() && roundsSinceCompaction() >= minimumRounds) {
              instant = scheduleCompaction(client);
            }
            return instant.filter(scheduled -> compact(client, scheduled));
          }
        });
  }

  /**
   * Hudi's own way of scheduling takes whatever time it is. After the clock was set back that would
   * be an instant before those that it compacts, which neither readers nor the next pass would take
   * for newer.
   */
  private Optional<String> scheduleCompaction(SparkRDDWriteClient<Object> client) {
    String instant = HudiInstantClock.next(metaClient, table, OptionalLong.empty());
    return client.scheduleCompactionAtInstant(instant, Option.empty())
        ? Optional.of(instant)
        : Optional.empty();
  }

  /** Whether this writer, not another one at the same time, ran the compaction. */
  private boolean compact(SparkRDDWriteClient<Object> client, String instant) {
    claim.take("compaction", instant, isInflight(instant));
    boolean pending = pendingCompaction().filter(instant::equals).isPresent();
    if (pending) {
      RebaseFreeWrite.callJobs(context, () -> client.compact(instant, true));
    }
    claim.release(instant);
    return pending;
  }

  @Override
  public Optional<String> cluster(int minimumRounds, long fileSize) {
    return clustering.run(minimumRounds, fileSize);
  }

  private boolean isInflight(String instant) {
    return metaClient
        .reloadActiveTimeline()
        .filterPendingCompactionTimeline()
        .getInstantsAsStream()
        .anyMatch(pending -> pending.isInflight() && pending.requestedTime().equals(instant));
  }

  private Optional<String> pendingCompaction() {
    return metaClient
        .reloadActiveTimeline()
        .filterPendingCompactionTimeline()
        .getInstantsAsStream()
        .map(HoodieInstant::requestedTime)
        .min(Comparator.naturalOrder());
  }

  private int roundsSinceCompaction() {
    HoodieTimeline completed = metaClient.reloadActiveTimeline().filterCompletedInstants();
    String compacted =
        completed
            .getInstantsAsStream()
            .filter(instant -> instant.getAction().equals(HoodieTimeline.COMMIT_ACTION))
            .map(HoodieInstant::requestedTime)
            .max(Comparator.naturalOrder())
            .orElse("");
    return (int)
        completed
            .getInstantsAsStream()
            .filter(instant -> instant.getAction().equals(HoodieTimeline.DELTA_COMMIT_ACTION))
            .filter(instant -> instant.requestedTime().compareTo(compacted) > 0)
            .count();
  }

  @Override
  public Optional<String> clean(Duration retention, int minimumInstants) {
    long hours = hoursKept(retention);
    long kept = Math.max(FEWEST_ACTIVE_INSTANTS, instantsSince(Duration.ofHours(hours)));
    HudiWriteClients cleaning =
        clients.with(
            Map.of(
                "hoodie.clean.policy", "KEEP_LATEST_BY_HOURS",
                "hoodie.clean.hours.retained", Long.toString(hours),
                "hoodie.clean.trigger.strategy", "NUM_COMMITS",
                "hoodie.clean.trigger.max.commits", Integer.toString(minimumInstants),
                "hoodie.keep.min.commits", Long.toString(kept),
                "hoodie.keep.max.commits", Long.toString(kept + ARCHIVED_AT_ONCE)));
    return HudiInstantClock.inZoneOf(
        metaClient,
        table,
        () -> {
          try (SparkRDDWriteClient<Object> client = cleaning.writeClient(context)) {
            HoodieCleanMetadata cleaned = client.clean();
            client.archive();
            return Optional.ofNullable(cleaned).map(HoodieCleanMetadata::getStartCleanTime);
          }
        });
  }

  /**
   * How far Hudi's cleaner must look back. A job that began at the start of the retention reads the
   * data instant that was the newest then, which may be much older.
   */
  private long hoursKept(Duration retention) {
    Instant now = Instant.now();
    long hours = retention.plusHours(1).minusNanos(1).toHours();
    if (hours == 0) {
      return hours;
    }
    metaClient.reloadActiveTimeline();
    HudiTimeline timeline = new HudiTimeline(metaClient);
    try {
      return timeline
          .dataInstantCompletedUpTo(now.minus(Duration.ofHours(hours)))
          .map(newest -> Duration.between(timeline.momentOf(newest), now).toHours() + 1)
          .map(reach -> Math.max(hours, reach))
          .orElse(hours);
    } catch (IOException failure) {
      throw LakestreamException.of(
          ErrorCode.LAKE_UNREADABLE,
          table,
          "the timeline at " + clients.path() + " cannot be read: " + failure.getMessage() + ".",
          "Check the path and its file system.",
          failure);
    }
  }

  private long instantsSince(Duration retention) {
    String first = new HudiTimeline(metaClient).spell(Instant.now().minus(retention));
    return metaClient
        .reloadActiveTimeline()
        .getInstantsAsStream()
        .filter(instant -> instant.requestedTime().compareTo(first) >= 0)
        .count();
  }
}
