package io.lakestream.spark.hudi;

import io.lakestream.spark.lake.LakeSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Chooses which files of a log table to merge into which. Pure. */
final class SmallFiles {
  /** How much larger a file may be than all smaller ones of its group together. */
  private static final int GROWTH = 2;

  private record Bucket(String partitionPath, int bucket) {}

  private SmallFiles() {}

  /**
   * Groups of files of one bucket each. Files of similar size are merged, from the smallest on, up
   * to the wanted size: a file that is much larger than the small ones beside it is left alone, or
   * each new file would cost writing the whole bucket again. So a row is written again only when
   * the file that it is in grows by a factor.
   *
   * @param fileSize the wanted size in bytes
   */
  static List<List<LakeSlice>> toMerge(List<LakeSlice> slices, long fileSize) {
    Map<Bucket, List<LakeSlice>> buckets = new LinkedHashMap<>();
    for (LakeSlice slice : slices) {
      if (slice.bucket() != LakeSlice.UNKNOWN_BUCKET && !slice.hasLogFiles()) {
        buckets
            .computeIfAbsent(
                new Bucket(slice.partitionPath(), slice.bucket()), key -> new ArrayList<>())
            .add(slice);
      }
    }
    List<List<LakeSlice>> groups = new ArrayList<>();
    buckets.values().forEach(files -> addGroups(files, fileSize, groups));
    return groups;
  }

  private static void addGroups(
      List<LakeSlice> files, long fileSize, List<List<LakeSlice>> groups) {
    files.sort(Comparator.comparingLong(LakeSlice::length).thenComparing(LakeSlice::fileId));
    List<LakeSlice> group = new ArrayList<>();
    long total = 0;
    for (LakeSlice file : files) {
      boolean fits =
          total + file.length() <= fileSize && (total == 0 || file.length() <= GROWTH * total);
      if (!fits) {
        addGroup(group, groups);
        group = new ArrayList<>();
        total = 0;
      }
      group.add(file);
      total += file.length();
    }
    addGroup(group, groups);
  }

  private static void addGroup(List<LakeSlice> group, List<List<LakeSlice>> groups) {
    if (group.size() > 1) {
      groups.add(group);
    }
  }
}
