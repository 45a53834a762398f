package io.lakestream.spark.hudi;

import io.lakestream.spark.hudi.CompletedWrite.Kind;
import io.lakestream.spark.lake.LakeSlice;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells which bucket a file group belongs to. File ids of a bucket-indexed table begin with the
 * bucket in eight digits; those that clustering made are random, so that one may look like a bucket
 * by accident. Ours are known by themselves, see {@link BucketFileIds}; of others the timeline must
 * tell that no clustering made them, its archived part included.
 */
final class BucketIds {
  private static final int DIGITS = 8;

  private final int buckets;
  private final Set<FileGroup> clustered = new HashSet<>();
  private final Archive archive;
  private Set<FileGroup> archived;

  /** What is known of clusterings that have left the active timeline. */
  interface Archive {
    /** The file groups that they made. */
    Set<FileGroup> clusteredGroups() throws IOException;
  }

  /**
   * @param buckets the declared number of buckets
   * @param writes the completed writes of the active timeline
   * @param archive asked once, and only if an id could be a bucket by accident
   */
  BucketIds(int buckets, List<CompletedWrite> writes, Archive archive) {
    this.buckets = buckets;
    this.archive = archive;
    for (CompletedWrite write : writes) {
      if (write.kind() == Kind.CLUSTERING && write.hasFiles()) {
        write.files().values().forEach(file -> clustered.add(file.group()));
      }
    }
  }

  /** The bucket of all rows of a group, or {@link LakeSlice#UNKNOWN_BUCKET}. */
  int of(FileGroup group) throws IOException {
    String fileId = group.fileId();
    if (fileId.length() < DIGITS) {
      return LakeSlice.UNKNOWN_BUCKET;
    }
    String prefix = fileId.substring(0, DIGITS);
    if (!prefix.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return LakeSlice.UNKNOWN_BUCKET;
    }
    int bucket = Integer.parseInt(prefix);
    return bucket < buckets && (BucketFileIds.isOurs(fileId) || !isClustered(group))
        ? bucket
        : LakeSlice.UNKNOWN_BUCKET;
  }

  private boolean isClustered(FileGroup group) throws IOException {
    if (clustered.contains(group)) {
      return true;
    }
    if (archived == null) {
      archived = archive.clusteredGroups();
    }
    return archived.contains(group);
  }
}
