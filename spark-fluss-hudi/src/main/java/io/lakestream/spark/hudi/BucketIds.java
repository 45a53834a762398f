package io.lakestream.spark.hudi;

import io.lakestream.spark.hudi.CompletedWrite.Kind;
import io.lakestream.spark.lake.LakeSlice;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells which bucket a file group belongs to. File ids of a bucket-indexed table begin with the
 * bucket in eight digits; those that clustering made are random, so that one may look like a bucket
 * by accident.
 */
final class BucketIds {
  private static final int DIGITS = 8;

  private final int buckets;
  private final Set<FileGroup> clustered = new HashSet<>();

  /**
   * @param buckets the declared number of buckets
   * @param writes the completed writes of the active timeline
   */
  BucketIds(int buckets, List<CompletedWrite> writes) {
    this.buckets = buckets;
    for (CompletedWrite write : writes) {
      if (write.kind() == Kind.CLUSTERING && write.hasFiles()) {
        write.files().values().forEach(file -> clustered.add(file.group()));
      }
    }
  }

  /** The bucket of all rows of a group, or {@link LakeSlice#UNKNOWN_BUCKET}. */
  int of(FileGroup group) {
    String fileId = group.fileId();
    if (clustered.contains(group) || fileId.length() < DIGITS) {
      return LakeSlice.UNKNOWN_BUCKET;
    }
    String prefix = fileId.substring(0, DIGITS);
    if (!prefix.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return LakeSlice.UNKNOWN_BUCKET;
    }
    int bucket = Integer.parseInt(prefix);
    return bucket < buckets ? bucket : LakeSlice.UNKNOWN_BUCKET;
  }
}
