package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeBucket;
import io.lakestream.spark.lake.LakeBucketWriterFactory;
import io.lakestream.spark.lake.LakeHousekeeping;
import io.lakestream.spark.lake.LakeRound;
import io.lakestream.spark.lake.LakeTableDefinition;
import io.lakestream.spark.lake.LakeTableWriter;
import io.lakestream.spark.lake.LakeWriteResult;
import io.lakestream.spark.lake.PendingInstant;
import io.lakestream.spark.lake.RoundMetadata;
import io.lakestream.spark.types.TablePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.hudi.client.SparkRDDWriteClient;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.common.model.WriteOperationType;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieActiveTimeline;
import org.apache.hudi.common.table.timeline.HoodieArchivedTimeline;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.exception.HoodieIOException;
import org.apache.spark.api.java.JavaSparkContext;

/** Write access to one Hudi table by its timeline and Hudi's Spark write client. */
final class HudiLakeTableWriter implements LakeTableWriter {
  /** After how many delta commits Hudi compacts its metadata table. */
  private static final int METADATA_DELTA_COMMITS = 10;

  private final JavaSparkContext context;
  private final LakeTableDefinition definition;
  private final TablePath table;
  private final List<String> recordKey;
  private final HudiWriteClients clients;
  private final HoodieTableMetaClient metaClient;
  private final SparkRDDWriteClient<Object> writeClient;
  private final String action;
  private final HudiHeartbeats heartbeats;

  HudiLakeTableWriter(
      JavaSparkContext context,
      LakeTableDefinition definition,
      List<String> recordKey,
      HudiWriteClients clients,
      Duration heartbeatTimeout) {
    this.context = context;
    this.definition = definition;
    this.table = definition.table();
    this.recordKey = recordKey;
    this.clients = clients;
    this.metaClient = clients.metaClient();
    this.writeClient = clients.writeClient(context);
    this.action = metaClient.getCommitActionType();
    this.heartbeats = new HudiHeartbeats(metaClient, heartbeatTimeout);
  }

  @Override
  public String path() {
    return clients.path();
  }

  @Override
  public Optional<String> newestDataInstant() {
    HoodieActiveTimeline timeline = metaClient.reloadActiveTimeline();
    return completedData(timeline).map(HoodieInstant::requestedTime).findFirst();
  }

  @Override
  public Optional<LakeRound> newestRound() {
    Optional<LakeRound> active = newestRound(metaClient.reloadActiveTimeline());
    return active.isPresent() ? active : newestArchivedRound();
  }

  /** Commits of others may have pushed the newest round out of the active timeline. */
  private Optional<LakeRound> newestArchivedRound() {
    HoodieArchivedTimeline archived = metaClient.getArchivedTimeline();
    archived.loadCompletedInstantDetailsInMemory();
    return newestRound(archived);
  }

  private Optional<LakeRound> newestRound(HoodieTimeline timeline) {
    return completedData(timeline)
        .map(instant -> round(timeline, instant))
        .filter(
            round ->
                RoundMetadata.TIERING_USER.equals(round.metadata().get(RoundMetadata.COMMIT_USER)))
        .findFirst();
  }

  @Override
  public List<PendingInstant> pendingInstants() {
    HoodieActiveTimeline timeline = metaClient.reloadActiveTimeline();
    return timeline
        .filterInflightsAndRequested()
        .getInstantsAsStream()
        .filter(instant -> instant.getAction().equals(action))
        .sorted(Comparator.comparing(HoodieInstant::requestedTime))
        .flatMap(instant -> pending(timeline, instant).stream())
        .toList();
  }

  private Optional<PendingInstant> pending(HoodieActiveTimeline timeline, HoodieInstant instant) {
    try {
      Map<String, String> metadata =
          instant.isInflight() ? timeline.readCommitMetadata(instant).getExtraMetadata() : Map.of();
      Optional<Duration> silence = heartbeats.silence(instant.requestedTime());
      return Optional.of(
          new PendingInstant(
              instant.requestedTime(),
              instant.isInflight(),
              metadata,
              silence,
              silence.map(heartbeats::isAlive).orElse(false)));
    } catch (FileNotFoundException | HoodieIOException gone) {
      if (isPending(instant.requestedTime())) {
        throw unreadable(gone);
      }
      return Optional.empty();
    } catch (IOException failure) {
      throw unreadable(failure);
    }
  }

  private boolean isPending(String instant) {
    return metaClient
        .reloadActiveTimeline()
        .filterInflightsAndRequested()
        .getInstantsAsStream()
        .anyMatch(pending -> pending.requestedTime().equals(instant));
  }

  private LakestreamException unreadable(Exception cause) {
    return LakestreamException.of(
        ErrorCode.LAKE_UNREADABLE,
        table,
        "the timeline at " + path() + " cannot be read: " + cause.getMessage() + ".",
        "Check the path and its file system.",
        cause);
  }

  @Override
  public String requestInstant(OptionalLong above) {
    return HudiInstantClock.inZoneOf(
        metaClient,
        table,
        () -> {
          String instant = HudiInstantClock.next(metaClient, table, above);
          // The sign of life comes first: an instant of ours without one is nobody's any more.
          heartbeats.start(instant);
          metaClient.getActiveTimeline().createNewInstant(requested(instant));
          return instant;
        });
  }

  @Override
  public void discardInstant(String instant) {
    HoodieActiveTimeline timeline = metaClient.reloadActiveTimeline();
    timeline
        .filterInflightsAndRequested()
        .getInstantsAsStream()
        .filter(pending -> pending.requestedTime().equals(instant))
        .forEach(timeline::deleteInstantFileIfExists);
    timeline.deleteInstantFileIfExists(requested(instant));
    heartbeats.end(instant);
  }

  @Override
  public void beginInstant(String instant, Map<String, String> metadata) {
    HoodieCommitMetadata inflight = new HoodieCommitMetadata();
    metadata.forEach(inflight::addMetadata);
    inflight.setOperationType(operation());
    HudiInstantClock.inZoneOf(
        metaClient,
        table,
        () -> {
          metaClient
              .reloadActiveTimeline()
              .transitionRequestedToInflight(requested(instant), Option.of(inflight));
          if (isMetadataTableDue()) {
            writeClient.initTable(operation(), Option.of(instant));
          }
          writeClient.preWrite(instant, operation(), metaClient);
          return null;
        });
  }

  /**
   * Whether Hudi should look after its metadata table: create it, or compact it, which it does when
   * it has ten delta commits. Opening it for that costs most of a second.
   */
  private boolean isMetadataTableDue() {
    return !metaClient.getTableConfig().isMetadataTableAvailable()
        || metaClient.getActiveTimeline().filterCompletedInstants().countInstants()
                % METADATA_DELTA_COMMITS
            == 0;
  }

  @Override
  public Map<LakeBucket, String> fileGroups(Collection<LakeBucket> buckets) {
    return new HudiBucketFileGroups(definition, clients).find(buckets);
  }

  @Override
  public LakeBucketWriterFactory bucketWriters() {
    return new HudiBucketWriterFactory(
        clients,
        definition.table(),
        definition.schema(),
        recordKey,
        definition.partitionColumns(),
        definition.hasPrimaryKey());
  }

  @Override
  public boolean isInflight(String instant) {
    return metaClient
        .reloadActiveTimeline()
        .filterInflights()
        .getInstantsAsStream()
        .anyMatch(pending -> pending.requestedTime().equals(instant));
  }

  @Override
  public boolean isAlive(String instant) {
    return heartbeats.isBeating(instant);
  }

  @Override
  public boolean isCompleted(String instant) {
    return metaClient
        .reloadActiveTimeline()
        .filterCompletedInstants()
        .getInstantsAsStream()
        .anyMatch(
            completed ->
                completed.getAction().equals(action) && completed.requestedTime().equals(instant));
  }

  @Override
  public void commit(String instant, List<LakeWriteResult> results, Map<String, String> metadata) {
    List<HoodieWriteStat> stats = new ArrayList<>();
    results.forEach(result -> stats.addAll(HudiWriteStats.read(result.files())));
    boolean committed =
        HudiInstantClock.inZoneOf(
            metaClient,
            table,
            () -> writeClient.commitStats(instant, stats, Option.of(metadata), action));
    if (!committed) {
      throw LakestreamException.of(
          ErrorCode.TIERING_FAILED,
          table,
          "Hudi refused to commit the instant " + instant + ".",
          "See the log of the Spark driver.");
    }
    heartbeats.end(instant);
  }

  @Override
  public void rollback(String instant) {
    boolean done =
        HudiInstantClock.inZoneOf(metaClient, table, () -> writeClient.rollback(instant));
    if (!done) {
      throw LakestreamException.of(
          ErrorCode.TIERING_FAILED,
          table,
          "the inflight instant " + instant + " at " + path() + " could not be rolled back.",
          "Roll it back with Hudi's own tools.");
    }
    heartbeats.end(instant);
  }

  @Override
  public LakeHousekeeping housekeeping() {
    return new HudiHousekeeping(context, table, clients, metaClient, heartbeats);
  }

  @Override
  public void close() {
    heartbeats.close();
    writeClient.close();
  }

  private WriteOperationType operation() {
    return definition.hasPrimaryKey() ? WriteOperationType.UPSERT : WriteOperationType.INSERT;
  }

  private HoodieInstant requested(String instant) {
    return metaClient.createNewInstant(HoodieInstant.State.REQUESTED, action, instant);
  }

  /** Completed data instants, the newest first. */
  private Stream<HoodieInstant> completedData(HoodieTimeline timeline) {
    return timeline
        .filterCompletedInstants()
        .getInstantsAsStream()
        .filter(instant -> instant.getAction().equals(action))
        .sorted(Comparator.comparing(HoodieInstant::requestedTime).reversed())
        .filter(
            instant ->
                commitMetadata(timeline, instant).getOperationType()
                    != WriteOperationType.LOG_COMPACT);
  }

  private LakeRound round(HoodieTimeline timeline, HoodieInstant instant) {
    return new LakeRound(
        instant.requestedTime(), commitMetadata(timeline, instant).getExtraMetadata());
  }

  private static HoodieCommitMetadata commitMetadata(
      HoodieTimeline timeline, HoodieInstant instant) {
    try {
      return timeline.readCommitMetadata(instant);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
