package io.lakestream.spark.hudi;

import io.lakestream.spark.hudi.CompletedWrite.Kind;
import io.lakestream.spark.hudi.CompletedWrite.WrittenFile;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hudi.avro.model.HoodieCleanMetadata;
import org.apache.hudi.avro.model.HoodieCleanerPlan;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.model.HoodieReplaceCommitMetadata;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.common.model.WriteOperationType;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieArchivedTimeline;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.util.CleanerUtils;

/**
 * The timeline of a table at one moment, in terms of this package: every call that reads Hudi's
 * timeline files is here. Not thread-safe.
 */
final class HudiTimeline {
  private static final String NO_PREVIOUS_INSTANT = "null";
  private static final DateTimeFormatter INSTANT = DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS");

  /** Later than every requested time. */
  static final String AFTER_ALL = "a";

  private final HoodieTableMetaClient client;
  private final HoodieTimeline writes;
  private final Map<String, CompletedWrite> archivedWrites = new HashMap<>();
  private HoodieArchivedTimeline archived;
  private boolean archivedDetailsLoaded;

  /** Takes the active timeline that the client has loaded. */
  HudiTimeline(HoodieTableMetaClient client) {
    this.client = client;
    this.writes = client.getActiveTimeline().getCommitsTimeline().filterCompletedInstants();
  }

  /** Whether the active timeline has a completed write with this requested time. */
  boolean contains(String instant) {
    return writes.containsInstant(instant);
  }

  /** Whether an instant is older than the active timeline, so that it may have been archived. */
  boolean isBeforeStart(String instant) {
    return writes.isBeforeTimelineStarts(instant);
  }

  /**
   * The completed writes of the active timeline by requested time.
   *
   * @param filesFrom the requested time from which files are wanted; those of older writes are left
   *     out unless the write replaced file groups, which spares reading a long timeline
   */
  List<CompletedWrite> completedWrites(String filesFrom) throws IOException {
    List<CompletedWrite> result = new ArrayList<>();
    for (HoodieInstant instant : writes.getInstants()) {
      boolean wanted =
          instant.requestedTime().compareTo(filesFrom) >= 0
              || instant.getAction().equals(HoodieTimeline.REPLACE_COMMIT_ACTION);
      result.add(wanted ? read(writes, instant) : withoutFiles(instant));
    }
    return result;
  }

  /** The requested time of the newest completed instant that changed rows. */
  Optional<String> latestDataInstant() throws IOException {
    return newestData(writes, AFTER_ALL);
  }

  /** The requested time of the newest completed data instant up to one, archived ones included. */
  Optional<String> dataInstantUpTo(String requestedTime) throws IOException {
    Optional<String> active = newestData(writes, requestedTime);
    return active.isPresent() ? active : newestData(archivedDetails(), requestedTime);
  }

  /** The oldest data instant of the active timeline. */
  Optional<String> oldestDataInstant() throws IOException {
    for (HoodieInstant instant : writes.getInstants()) {
      if (read(writes, instant).kind() == Kind.DATA) {
        return Optional.of(instant.requestedTime());
      }
    }
    return Optional.empty();
  }

  /** The data instant of the active timeline that was the newest at a moment. */
  Optional<String> dataInstantCompletedUpTo(Instant moment) throws IOException {
    String border = spell(moment);
    List<HoodieInstant> instants = writes.getInstants();
    for (int i = instants.size() - 1; i >= 0; i--) {
      HoodieInstant instant = instants.get(i);
      if (instant.getCompletionTime().compareTo(border) <= 0
          && read(writes, instant).kind() == Kind.DATA) {
        return Optional.of(instant.requestedTime());
      }
    }
    return Optional.empty();
  }

  /** How the table's timeline spells a moment. */
  String spell(Instant moment) {
    return INSTANT.format(moment.atZone(zone()));
  }

  /** The moment that a requested or completion time of the table's timeline stands for. */
  Instant momentOf(String instant) {
    return LocalDateTime.parse(instant, INSTANT).atZone(zone()).toInstant();
  }

  private ZoneId zone() {
    return client.getTableConfig().getTimelineTimezone().getZoneId();
  }

  private Optional<String> newestData(HoodieTimeline timeline, String upTo) throws IOException {
    List<HoodieInstant> instants = timeline.getInstants();
    for (int i = instants.size() - 1; i >= 0; i--) {
      HoodieInstant instant = instants.get(i);
      if (instant.requestedTime().compareTo(upTo) <= 0
          && read(timeline, instant).kind() == Kind.DATA) {
        return Optional.of(instant.requestedTime());
      }
    }
    return Optional.empty();
  }

  /** The archived write with this requested time, without its files; empty if there is none. */
  Optional<String> archivedCompletionTime(String instant) {
    return archived()
        .getCommitsTimeline()
        .filterCompletedInstants()
        .getInstantsAsStream()
        .filter(candidate -> candidate.requestedTime().equals(instant))
        .map(HoodieInstant::getCompletionTime)
        .findFirst();
  }

  /** The archived write with this requested time and its files; empty if there is none. */
  Optional<CompletedWrite> archivedWrite(String instant) throws IOException {
    if (!archivedDetailsLoaded) {
      HoodieTimeline completed = archivedDetails();
      for (HoodieInstant candidate : completed.getInstants()) {
        archivedWrites.put(candidate.requestedTime(), read(completed, candidate));
      }
      archivedDetailsLoaded = true;
    }
    return Optional.ofNullable(archivedWrites.get(instant));
  }

  /** The file groups that clusterings made which have left the active timeline. */
  Set<FileGroup> archivedClusteredGroups() throws IOException {
    Set<FileGroup> groups = new HashSet<>();
    List<HoodieInstant> replacements =
        archived()
            .getCommitsTimeline()
            .filterCompletedInstants()
            .getInstantsAsStream()
            .filter(instant -> instant.getAction().equals(HoodieTimeline.REPLACE_COMMIT_ACTION))
            .toList();
    for (HoodieInstant replacement : replacements) {
      Optional<CompletedWrite> write = archivedWrite(replacement.requestedTime());
      if (write.isPresent() && write.get().kind() == Kind.CLUSTERING) {
        write.get().files().values().forEach(file -> groups.add(file.group()));
      }
    }
    return groups;
  }

  /** The cleanings that are done or under way, oldest first. */
  List<Cleaning> cleanings() throws IOException {
    List<Cleaning> result = new ArrayList<>();
    for (HoodieInstant instant : client.reloadActiveTimeline().getCleanerTimeline().getInstants()) {
      result.add(instant.isCompleted() ? completedCleaning(instant) : pendingCleaning(instant));
    }
    return result;
  }

  private Cleaning completedCleaning(HoodieInstant instant) throws IOException {
    HoodieCleanMetadata metadata = CleanerUtils.getCleanerMetadata(client, instant);
    Map<String, List<String>> files = new HashMap<>();
    metadata
        .getPartitionMetadata()
        .forEach((path, partition) -> files.put(path, partition.getSuccessDeleteFiles()));
    return new Cleaning(
        instant.requestedTime(), emptyToNull(metadata.getEarliestCommitToRetain()), files);
  }

  private Cleaning pendingCleaning(HoodieInstant instant) throws IOException {
    HoodieCleanerPlan plan = CleanerUtils.getCleanerPlan(client, instant);
    String earliest =
        plan.getEarliestInstantToRetain() == null
            ? null
            : plan.getEarliestInstantToRetain().getTimestamp();
    Map<String, List<String>> files = new HashMap<>();
    if (plan.getFilePathsToBeDeletedPerPartition() != null) {
      plan.getFilePathsToBeDeletedPerPartition()
          .forEach(
              (path, infos) ->
                  files.put(path, infos.stream().map(info -> info.getFilePath()).toList()));
    }
    return new Cleaning(instant.requestedTime(), emptyToNull(earliest), files);
  }

  private HoodieTimeline archivedDetails() {
    archived().loadCompletedInstantDetailsInMemory();
    return archived().getCommitsTimeline().filterCompletedInstants();
  }

  private HoodieArchivedTimeline archived() {
    if (archived == null) {
      archived = client.getArchivedTimeline();
    }
    return archived;
  }

  private CompletedWrite read(HoodieTimeline timeline, HoodieInstant instant) throws IOException {
    Set<FileGroup> replaced = new HashSet<>();
    HoodieCommitMetadata metadata;
    if (instant.getAction().equals(HoodieTimeline.REPLACE_COMMIT_ACTION)) {
      HoodieReplaceCommitMetadata replacing = timeline.readReplaceCommitMetadata(instant);
      replacing
          .getPartitionToReplaceFileIds()
          .forEach((path, ids) -> ids.forEach(id -> replaced.add(new FileGroup(path, id))));
      metadata = replacing;
    } else {
      metadata = timeline.readCommitMetadata(instant);
    }
    requireContent(timeline, instant, metadata);
    Map<String, WrittenFile> files = new HashMap<>();
    metadata
        .getPartitionToWriteStats()
        .forEach((path, stats) -> stats.forEach(stat -> addFile(files, path, stat)));
    return new CompletedWrite(
        instant.requestedTime(),
        instant.getCompletionTime(),
        kind(instant, metadata.getOperationType()),
        files,
        replaced);
  }

  /** Hudi takes an empty file for a write without files; those have at least a schema. */
  private static void requireContent(
      HoodieTimeline timeline, HoodieInstant instant, HoodieCommitMetadata metadata)
      throws IOException {
    if (metadata.getPartitionToWriteStats().isEmpty()
        && metadata.getExtraMetadata().isEmpty()
        && timeline.isEmpty(instant)) {
      throw new IOException("the timeline file of the completed instant " + instant + " is empty");
    }
  }

  private CompletedWrite withoutFiles(HoodieInstant instant) {
    return new CompletedWrite(
        instant.requestedTime(),
        instant.getCompletionTime(),
        kind(instant, WriteOperationType.UNKNOWN),
        null,
        Set.of());
  }

  private static void addFile(
      Map<String, WrittenFile> files, String partitionPath, HoodieWriteStat stat) {
    String path = emptyToNull(stat.getPath());
    if (path == null) {
      return;
    }
    String name = path.substring(path.lastIndexOf('/') + 1);
    String previous = emptyToNull(stat.getPrevCommit());
    files.put(
        path,
        new WrittenFile(
            new FileGroup(partitionPath, stat.getFileId()),
            FSUtils.isLogFile(name),
            stat.getFileSizeInBytes(),
            NO_PREVIOUS_INSTANT.equals(previous) ? null : previous));
  }

  /** On a merge-on-read table a {@code commit} is always a compaction, whatever it says. */
  private Kind kind(HoodieInstant instant, WriteOperationType operation) {
    boolean compaction =
        instant.getAction().equals(HoodieTimeline.COMMIT_ACTION)
            && client.getTableType() == HoodieTableType.MERGE_ON_READ;
    if (compaction
        || operation == WriteOperationType.COMPACT
        || operation == WriteOperationType.LOG_COMPACT) {
      return Kind.COMPACTION;
    }
    return operation == WriteOperationType.CLUSTER ? Kind.CLUSTERING : Kind.DATA;
  }

  private static String emptyToNull(String text) {
    return text == null || text.isEmpty() ? null : text;
  }
}
