package io.lakestream.spark.hudi;

import io.lakestream.spark.hudi.CompletedWrite.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the file slices as of an instant from the files that lie in a table. Pure.
 *
 * <p>A file counts only if a completed instant up to the wanted one says that it wrote it. A name
 * alone proves nothing: a late attempt of a task leaves files that carry a completed instant. Only
 * the newest base file of a group counts, and the log files that completed after that base file was
 * asked for (table versions 8 and up name each log file by the instant that wrote it).
 *
 * <p>A compaction or clustering newer than the wanted instant counts too if no newer rows can be in
 * it: rows written after the wanted instant had not completed when it was scheduled. A compaction
 * only spares reading log files; after a clustering the files that it replaced may be cleaned. Of
 * an instant that left the active timeline this cannot be told.
 */
final class SliceBuilder {

  /** What is known of files besides the active timeline. */
  interface Archive {
    /** Whether the candidates come from a listing that has files of completed instants only. */
    boolean listsCommittedOnly();

    /** Whether the instant is older than the active timeline. */
    boolean covers(String instant);

    /** Whether the file belongs to a completed instant. */
    boolean wrote(DataFile file) throws IOException;

    /** When the instant completed; empty if it did not. */
    Optional<String> completionTime(String instant) throws IOException;
  }

  private final String instant;
  private final Map<String, CompletedWrite> visible = new HashMap<>();
  private final Set<FileGroup> replaced = new HashSet<>();
  private final Archive archive;
  private final boolean active;

  /**
   * @param instant the wanted instant
   * @param writes the completed writes of the active timeline
   */
  SliceBuilder(String instant, List<CompletedWrite> writes, Archive archive) {
    this.instant = instant;
    this.archive = archive;
    this.active = writes.stream().anyMatch(write -> write.instant().equals(instant));
    for (CompletedWrite write : writes) {
      if (isVisible(write, writes)) {
        visible.put(write.instant(), write);
        replaced.addAll(write.replaced());
      }
    }
  }

  /** Whether a write of the active timeline belongs to the wanted state of the table. */
  boolean isVisible(CompletedWrite write) {
    return visible.containsKey(write.instant());
  }

  /** Whether the group was replaced by others up to the wanted instant. */
  boolean isReplaced(FileGroup group) {
    return replaced.contains(group);
  }

  /** Whether a log file applies on top of a base file, which may be null. */
  boolean isOnTop(String logInstant, DataFile base) throws IOException {
    if (base == null || logInstant.compareTo(base.instant()) > 0) {
      return true;
    }
    Optional<String> completion =
        visible.containsKey(logInstant)
            ? Optional.of(visible.get(logInstant).completionTime())
            : archive.completionTime(logInstant);
    return completion.isPresent() && completion.get().compareTo(base.instant()) > 0;
  }

  /** The slices that are not empty, by group. */
  Map<FileGroup, FileSlice> build(List<DataFile> candidates) throws IOException {
    Map<FileGroup, List<DataFile>> groups = new HashMap<>();
    for (DataFile file : candidates) {
      if (!isReplaced(file.group()) && isCommitted(file)) {
        groups.computeIfAbsent(file.group(), group -> new ArrayList<>()).add(file);
      }
    }
    Map<FileGroup, FileSlice> slices = new HashMap<>();
    for (Map.Entry<FileGroup, List<DataFile>> group : groups.entrySet()) {
      slices.put(group.getKey(), slice(group.getKey(), group.getValue()));
    }
    return slices;
  }

  private FileSlice slice(FileGroup group, List<DataFile> files) throws IOException {
    DataFile base = null;
    for (DataFile file : files) {
      if (!file.log() && (base == null || file.instant().compareTo(base.instant()) > 0)) {
        base = file;
      }
    }
    List<DataFile> logs = new ArrayList<>();
    for (DataFile file : files) {
      if (file.log() && isOnTop(file.instant(), base)) {
        logs.add(file);
      }
    }
    logs.sort(DataFile.LOG_ORDER);
    return new FileSlice(group, base, logs);
  }

  private boolean isCommitted(DataFile file) throws IOException {
    CompletedWrite write = visible.get(file.instant());
    if (write != null) {
      return write.hasFiles()
          ? write.files().containsKey(file.relativePath())
          : archive.listsCommittedOnly();
    }
    return file.instant().compareTo(instant) <= 0
        && archive.covers(file.instant())
        && archive.wrote(file);
  }

  private boolean isVisible(CompletedWrite write, List<CompletedWrite> all) {
    if (write.instant().compareTo(instant) <= 0) {
      return true;
    }
    return active
        && write.kind() != Kind.DATA
        && all.stream()
            .filter(other -> other.kind() == Kind.DATA)
            .filter(other -> other.instant().compareTo(instant) > 0)
            .allMatch(other -> other.completionTime().compareTo(write.instant()) > 0);
  }
}
