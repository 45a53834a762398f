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
import org.apache.spark.api.java.JavaSparkContext;

/** Write access to one Hudi table by its timeline and Hudi's Spark write client. */
final class HudiLakeTableWriter implements LakeTableWriter {
  private final JavaSparkContext context;
  private final LakeTableDefinition definition;
  private final TablePath table;
  private final List<String> recordKey;
  private final HudiWriteClients clients;
  private final HoodieTableMetaClient metaClient;
  private final SparkRDDWriteClient<Object> writeClient;
  private final String action;
  private final HudiHeartbeats heartbeats;
  final HudiPendingInstants pending;

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
    this.pending = new HudiPendingInstants(table, metaClient, heartbeats, writeClient::rollback);
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
    active.ifPresent(round -> pending.checkWhole(round.instant()));
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
    return pending.list();
  }

  @Override
  public String requestInstant(OptionalLong above) {
    return HudiInstantClock.inZoneOf(metaClient, table, () -> pending.request(above));
  }

  @Override
  public void discardInstant(String instant) {
    pending.discard(instant);
  }

  @Override
  public void beginInstant(String instant, Map<String, String> metadata) {
    HudiInstantClock.inZoneOf(
        metaClient,
        table,
        () -> {
          metaClient
              .reloadActiveTimeline()
              .transitionRequestedToInflight(
                  pending.requested(instant), Option.of(inflight(metadata)));
          if (MetadataTableUpkeep.isDue(metaClient)) {
            writeClient.initTable(operation(), Option.of(instant));
          }
          writeClient.preWrite(instant, operation(), metaClient);
          return null;
        });
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
        HudiTableCreation.partitionPaths(definition, metaClient.getTableConfig()),
        HudiTableCreation.keys(definition, metaClient.getTableConfig()));
  }

  @Override
  public boolean isInflight(String instant) {
    return pending.isInflight(instant);
  }

  @Override
  public boolean isAlive(String instant) {
    return heartbeats.isBeating(instant);
  }

  @Override
  public boolean isCompleted(String instant) {
    return pending.isCompleted(instant);
  }

  @Override
  public void commit(String instant, List<LakeWriteResult> results, Map<String, String> metadata) {
    List<HoodieWriteStat> stats = new ArrayList<>();
    results.forEach(result -> stats.addAll(HudiWriteStats.read(result.files())));
    HudiInstantClock.inZoneOf(
        metaClient,
        table,
        () -> {
          pending.complete(
              instant, inflight(metadata), () -> commitStats(instant, stats, metadata));
          return null;
        });
  }

  private void commitStats(
      String instant, List<HoodieWriteStat> stats, Map<String, String> metadata) {
    boolean committed =
        writeClient.commitStats(
            instant,
            stats,
            Option.of(metadata),
            action,
            Map.of(),
            Option.of((client, commit) -> pending.checkOwned(instant)));
    if (!committed) {
      throw LakestreamException.of(
          ErrorCode.TIERING_FAILED,
          table,
          "Hudi refused to commit the instant " + instant + ".",
          "See the log of the Spark driver.");
    }
  }

  private HoodieCommitMetadata inflight(Map<String, String> metadata) {
    HoodieCommitMetadata inflight = new HoodieCommitMetadata();
    metadata.forEach(inflight::addMetadata);
    inflight.setOperationType(operation());
    return inflight;
  }

  @Override
  public void rollback(String instant) {
    HudiInstantClock.inZoneOf(
        metaClient,
        table,
        () -> {
          pending.rollBack(instant);
          return null;
        });
  }

  @Override
  public LakeHousekeeping housekeeping() {
    return new HudiHousekeeping(context, definition, clients, metaClient, heartbeats);
  }

  @Override
  public void close() {
    heartbeats.close();
    writeClient.close();
  }

  private WriteOperationType operation() {
    return definition.hasPrimaryKey() ? WriteOperationType.UPSERT : WriteOperationType.INSERT;
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
