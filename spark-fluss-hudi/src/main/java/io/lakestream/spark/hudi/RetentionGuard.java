package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.hudi.CompletedWrite.Kind;
import io.lakestream.spark.hudi.CompletedWrite.WrittenFile;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hudi.storage.StoragePath;

/**
 * Refuses an instant some of whose files are gone. Hudi itself does not: after its cleaner removed
 * files of an instant, reading as of that instant yields fewer rows, or none, without an error.
 */
final class RetentionGuard {
  private final Object table;
  private final String instant;
  private final List<CompletedWrite> writes;
  private final List<Cleaning> cleanings;
  private final Predicate<String> wantedPaths;

  /**
   * @param table for messages
   * @param instant the wanted instant
   * @param writes the completed writes of the active timeline
   * @param cleanings the cleanings as they were after the files had been listed, oldest first
   * @param wantedPaths the partition folders that were listed
   */
  RetentionGuard(
      Object table,
      String instant,
      List<CompletedWrite> writes,
      List<Cleaning> cleanings,
      Predicate<String> wantedPaths) {
    this.table = table;
    this.instant = instant;
    this.writes = writes;
    this.cleanings = cleanings;
    this.wantedPaths = wantedPaths;
  }

  /**
   * Checks what the cleanings say that they keep, whatever files there are. They may keep less than
   * the instant and still all of its rows, if a compaction or clustering of just those rows came
   * after it.
   */
  void checkRetained(SliceBuilder builder) {
    String newest =
        writes.stream()
            .filter(builder::isVisible)
            .map(CompletedWrite::instant)
            .max(String::compareTo)
            .filter(visible -> visible.compareTo(instant) > 0)
            .orElse(instant);
    for (Cleaning cleaning : cleanings) {
      String earliest = cleaning.earliestRetained();
      if (earliest != null && earliest.compareTo(newest) > 0) {
        throw gone("the cleaning at " + cleaning.instant() + " keeps files from " + earliest);
      }
    }
  }

  /** Checks that an instant that left the active timeline is still whole. */
  void checkArchived() {
    if (cleanings.isEmpty() || cleanings.get(cleanings.size() - 1).earliestRetained() == null) {
      throw gone("it was archived and the table does not tell which files were cleaned since");
    }
  }

  /** Checks that the slices have every file that the timeline says they need. */
  void checkComplete(SliceBuilder builder, Map<FileGroup, FileSlice> slices) throws IOException {
    Set<FileGroup> bornLater = new HashSet<>();
    for (CompletedWrite write : writes) {
      if (write.hasFiles() && write.instant().compareTo(instant) > 0) {
        for (WrittenFile file : write.files().values()) {
          if (file.previousInstant() == null) {
            bornLater.add(file.group());
          }
        }
      }
    }
    for (CompletedWrite write : writes) {
      if (!write.hasFiles()) {
        continue;
      }
      if (builder.isVisible(write)) {
        checkWritten(write, builder, slices);
      } else {
        checkContinued(write, builder, slices);
        checkReplaced(write, builder, slices, bornLater);
      }
    }
    for (Cleaning cleaning : cleanings) {
      if (cleaning.earliestRetained() == null && cleaning.instant().compareTo(instant) > 0) {
        checkDeleted(cleaning, builder, slices);
      }
    }
  }

  /** Each file that a visible instant wrote is in its slice, or has been superseded there. */
  private void checkWritten(
      CompletedWrite write, SliceBuilder builder, Map<FileGroup, FileSlice> slices)
      throws IOException {
    for (Map.Entry<String, WrittenFile> entry : write.files().entrySet()) {
      WrittenFile file = entry.getValue();
      if (file.length() > 0
          && isWanted(file.group(), builder)
          && isMissing(write.instant(), entry.getKey(), file, builder, slices)) {
        throw gone("its file " + entry.getKey() + " is missing");
      }
    }
  }

  private boolean isMissing(
      String writeInstant,
      String path,
      WrittenFile file,
      SliceBuilder builder,
      Map<FileGroup, FileSlice> slices)
      throws IOException {
    FileSlice slice = slices.get(file.group());
    if (slice == null) {
      return true;
    }
    if (file.log()) {
      return builder.isOnTop(writeInstant, slice.base())
          && slice.logs().stream().noneMatch(log -> log.relativePath().equals(path));
    }
    return slice.base() == null || slice.base().instant().compareTo(writeInstant) < 0;
  }

  /** A later write continued a group of which no slice is left. */
  private void checkContinued(
      CompletedWrite write, SliceBuilder builder, Map<FileGroup, FileSlice> slices) {
    for (WrittenFile file : write.files().values()) {
      String previous = file.previousInstant();
      if (previous != null
          && previous.compareTo(instant) <= 0
          && isWanted(file.group(), builder)
          && !slices.containsKey(file.group())) {
        throw gone("no file of file group " + file.group().fileId() + " is left from then");
      }
    }
  }

  /** A later write replaced a group of which no slice is left. */
  private void checkReplaced(
      CompletedWrite write,
      SliceBuilder builder,
      Map<FileGroup, FileSlice> slices,
      Set<FileGroup> bornLater) {
    for (FileGroup group : write.replaced()) {
      if (isWanted(group, builder) && !slices.containsKey(group) && !bornLater.contains(group)) {
        throw gone("no file of the replaced file group " + group.fileId() + " is left");
      }
    }
  }

  private void checkDeleted(
      Cleaning cleaning, SliceBuilder builder, Map<FileGroup, FileSlice> slices)
      throws IOException {
    for (Map.Entry<String, List<String>> partition : cleaning.deletedFiles().entrySet()) {
      for (String path : partition.getValue()) {
        Optional<DataFile> deleted =
            FileListing.parse(partition.getKey(), new StoragePath(path), 0);
        if (deleted.isPresent()
            && deleted.get().instant().compareTo(instant) <= 0
            && isWanted(deleted.get().group(), builder)
            && isNeeded(deleted.get(), builder, slices)) {
          throw gone("the cleaning at " + cleaning.instant() + " deleted its file " + path);
        }
      }
    }
  }

  private boolean isNeeded(DataFile deleted, SliceBuilder builder, Map<FileGroup, FileSlice> slices)
      throws IOException {
    FileSlice slice = slices.get(deleted.group());
    if (slice == null) {
      return true;
    }
    return deleted.log()
        ? builder.isOnTop(deleted.instant(), slice.base())
        : slice.base() == null || slice.base().instant().compareTo(deleted.instant()) < 0;
  }

  private boolean isWanted(FileGroup group, SliceBuilder builder) {
    return wantedPaths.test(group.partitionPath()) && !builder.isReplaced(group);
  }

  private LakestreamException gone(String reason) {
    String earliest =
        cleanings.stream()
            .map(Cleaning::earliestRetained)
            .filter(candidate -> candidate != null)
            .max(String::compareTo)
            .orElse("");
    Optional<String> usable =
        writes.stream()
            .filter(write -> write.kind() == Kind.DATA)
            .map(CompletedWrite::instant)
            .filter(candidate -> candidate.compareTo(instant) > 0)
            .filter(candidate -> candidate.compareTo(earliest) >= 0)
            .min(String::compareTo);
    return LakestreamException.of(
        ErrorCode.LAKE_SNAPSHOT_GONE,
        table,
        "the lake no longer has all files of instant " + instant + ": " + reason + ".",
        usable
            .map(
                candidate ->
                    "The oldest instant that may still be whole is "
                        + candidate
                        + "; read that or a newer one, and let Hudi's cleaner keep instants longer"
                        + " than the longest job.")
            .orElse("No newer instant is there to be read instead; tier the table again."));
  }
}
