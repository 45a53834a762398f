package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.hudi.CompletedWrite.Kind;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.lake.LakeTable;
import io.lakestream.spark.lake.LakeTableDefinition;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.hudi.avro.model.HoodieClusteringPlan;
import org.apache.hudi.avro.model.HoodieRequestedReplaceMetadata;
import org.apache.hudi.client.SparkRDDWriteClient;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;
import org.apache.hudi.common.model.WriteOperationType;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.util.ClusteringUtils;
import org.apache.hudi.common.util.collection.Pair;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Merges the small files of log tables. The plan is Hudi's, so that its other writers, its cleaner
 * and its archiver know of it, and so is the instant, a {@code replacecommit} without offsets; what
 * goes into the plan and how it is carried out is ours: each new file has the rows of one bucket.
 */
final class HudiClustering {
  private static final String SERVICE = "clustering";
  private static final int PLAN_VERSION = 1;

  private final JavaSparkContext context;
  private final LakeTableDefinition definition;
  private final HudiWriteClients clients;
  private final HoodieTableMetaClient metaClient;
  private final TableServiceClaim claim;

  HudiClustering(
      JavaSparkContext context,
      LakeTableDefinition definition,
      HudiWriteClients clients,
      HoodieTableMetaClient metaClient,
      HudiHeartbeats heartbeats) {
    this.context = context;
    this.definition = definition;
    this.clients = clients;
    this.metaClient = metaClient;
    this.claim = new TableServiceClaim(definition.table(), clients.path(), heartbeats);
  }

  /** See {@link io.lakestream.spark.lake.LakeHousekeeping#cluster}. */
  Optional<String> run(int minimumRounds, long fileSize) {
    return HudiInstantClock.inZoneOf(
        metaClient,
        definition.table(),
        () -> {
          // A clustering that died is run again; Hudi rolls back what it had written.
          Optional<HoodieInstant> instant = pending();
          if (instant.isEmpty() && roundsSince() >= minimumRounds) {
            instant = schedule(fileSize);
          }
          return instant.filter(this::execute).map(HoodieInstant::requestedTime);
        });
  }

  /** Whether this writer, not another one at the same time, ran the clustering. */
  private boolean execute(HoodieInstant instant) {
    String requested = instant.requestedTime();
    claim.take(SERVICE, requested, instant.isInflight());
    boolean pending =
        pending().filter(other -> other.requestedTime().equals(requested)).isPresent();
    if (pending) {
      cluster(requested);
    }
    claim.release(requested);
    return pending;
  }

  private void cluster(String instant) {
    HudiWriteClients clustering =
        clients.with(BucketClusteringStrategy.options(definition.table(), definition.schema()));
    try (SparkRDDWriteClient<Object> client = clustering.writeClient(context)) {
      RebaseFreeWrite.callJobs(context, () -> client.cluster(instant, true));
    }
  }

  private Optional<HoodieInstant> pending() {
    metaClient.reloadActiveTimeline();
    try (Stream<Pair<HoodieInstant, HoodieClusteringPlan>> plans =
        ClusteringUtils.getAllPendingClusteringPlans(metaClient)) {
      Optional<Pair<HoodieInstant, HoodieClusteringPlan>> first =
          plans.min(Comparator.comparing(plan -> plan.getLeft().requestedTime()));
      first.ifPresent(this::refuseForeign);
      return first.map(Pair::getLeft);
    }
  }

  private void refuseForeign(Pair<HoodieInstant, HoodieClusteringPlan> plan) {
    String strategy = plan.getRight().getStrategy().getStrategyClassName();
    if (!strategy.equals(BucketClusteringStrategy.class.getName())) {
      throw LakestreamException.of(
          ErrorCode.TIERING_CONFLICT,
          definition.table(),
          "the clustering "
              + plan.getLeft().requestedTime()
              + " at "
              + clients.path()
              + " was planned by another writer, with "
              + strategy
              + ".",
          "Run it or remove it with Hudi's own tools.");
    }
  }

  private long roundsSince() {
    try {
      List<CompletedWrite> writes =
          new HudiTimeline(metaClient).completedWrites(HudiTimeline.AFTER_ALL);
      String clustered =
          writes.stream()
              .filter(write -> write.kind() == Kind.CLUSTERING)
              .map(CompletedWrite::instant)
              .max(Comparator.naturalOrder())
              .orElse("");
      return writes.stream()
          .filter(write -> write.kind() == Kind.DATA)
          .filter(write -> write.instant().compareTo(clustered) > 0)
          .count();
    } catch (IOException failure) {
      throw unreadable(failure);
    }
  }

  private Optional<HoodieInstant> schedule(long fileSize) {
    LakeTable lake =
        new HudiLakeCatalog(() -> HudiWriteClients.hadoop(clients.hadoopOptions()))
            .open(
                definition.table(),
                clients.path(),
                definition.schema(),
                definition.partitionColumns(),
                definition.buckets());
    Optional<String> newest = lake.latestInstant();
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    List<List<LakeSlice>> groups =
        SmallFiles.toMerge(lake.slices(newest.get(), partition -> true), fileSize);
    if (groups.isEmpty()) {
      return Optional.empty();
    }
    String requested = HudiInstantClock.next(metaClient, definition.table(), OptionalLong.empty());
    HoodieInstant instant =
        metaClient.createNewInstant(
            HoodieInstant.State.REQUESTED, HoodieTimeline.CLUSTERING_ACTION, requested);
    metaClient.getActiveTimeline().saveToPendingClusterCommit(instant, plan(groups));
    return Optional.of(instant);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static HoodieRequestedReplaceMetadata plan(List<List<LakeSlice>> groups) {
    List[] slices =
        groups.stream()
            .map(group -> group.stream().map(HudiClustering::hudiSlice).toList())
            .toArray(List[]::new);
    HoodieClusteringPlan plan =
        ClusteringUtils.createClusteringPlan(
            BucketClusteringStrategy.class.getName(),
            Map.of(),
            (List<FileSlice>[]) slices,
            Map.of());
    plan.setPreserveHoodieMetadata(true);
    return HoodieRequestedReplaceMetadata.newBuilder()
        .setOperationType(WriteOperationType.CLUSTER.name())
        .setExtraMetadata(Map.of())
        .setClusteringPlan(plan)
        .setVersion(PLAN_VERSION)
        .build();
  }

  private static FileSlice hudiSlice(LakeSlice slice) {
    HoodieBaseFile base = new HoodieBaseFile(slice.baseFile().path());
    base.setFileLen(slice.baseFile().length());
    FileSlice result = new FileSlice(slice.partitionPath(), base.getCommitTime(), slice.fileId());
    result.setBaseFile(base);
    return result;
  }

  private LakestreamException unreadable(IOException cause) {
    return LakestreamException.of(
        ErrorCode.LAKE_UNREADABLE,
        definition.table(),
        "the timeline at " + clients.path() + " cannot be read: " + cause.getMessage() + ".",
        "Check the path and its file system.",
        cause);
  }
}
