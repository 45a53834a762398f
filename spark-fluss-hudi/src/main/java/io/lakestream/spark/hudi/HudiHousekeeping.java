package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeHousekeeping;
import io.lakestream.spark.types.TablePath;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
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
  private static final DateTimeFormatter INSTANT = DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS");

  private final JavaSparkContext context;
  private final TablePath table;
  private final HudiWriteClients clients;
  private final HoodieTableMetaClient metaClient;
  private final HudiHeartbeats heartbeats;

  HudiHousekeeping(
      JavaSparkContext context,
      TablePath table,
      HudiWriteClients clients,
      HoodieTableMetaClient metaClient,
      HudiHeartbeats heartbeats) {
    this.context = context;
    this.table = table;
    this.clients = clients;
    this.metaClient = metaClient;
    this.heartbeats = heartbeats;
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
              instant = Optional.ofNullable(client.scheduleCompaction(Option.empty()).orElse(null));
            }
            return instant.filter(scheduled -> compact(client, scheduled));
          }
        });
  }

  /** Whether this writer, not another one at the same time, ran the compaction. */
  private boolean compact(SparkRDDWriteClient<Object> client, String instant) {
    try {
      // Hudi's own compactions give no signs of life, so one that has begun may be running.
      if (isInflight(instant) && heartbeats.silence(instant).isEmpty()) {
        throw LakestreamException.of(
            ErrorCode.TIERING_CONFLICT,
            table,
            "the compaction " + instant + " at " + clients.path() + " was begun by another writer.",
            "Wait until it has finished, or run it with Hudi's own tools if its writer is gone.");
      }
      if (!heartbeats.takeOver(instant)) {
        throw LakestreamException.of(
            ErrorCode.TIERING_CONFLICT,
            table,
            "the compaction " + instant + " at " + clients.path() + " is being run by another job.",
            "Wait until it has finished; run one compaction at a time.");
      }
    } catch (IOException failure) {
      throw LakestreamException.of(
          ErrorCode.LAKE_UNREADABLE,
          table,
          "the compaction "
              + instant
              + " at "
              + clients.path()
              + " cannot be claimed: "
              + failure.getMessage()
              + ".",
          "Check the path and its file system.",
          failure);
    }
    boolean pending = pendingCompaction().filter(instant::equals).isPresent();
    if (pending) {
      RebaseFreeWrite.callJobs(context, () -> client.compact(instant, true));
    }
    heartbeats.end(instant);
    return pending;
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
    long hours = retention.plusHours(1).minusNanos(1).toHours();
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

  private long instantsSince(Duration retention) {
    String first =
        INSTANT.format(
            Instant.now()
                .minus(retention)
                .atZone(metaClient.getTableConfig().getTimelineTimezone().getZoneId()));
    return metaClient
        .reloadActiveTimeline()
        .getInstantsAsStream()
        .filter(instant -> instant.requestedTime().compareTo(first) >= 0)
        .count();
  }
}
