package io.lakestream.spark.lake;

import io.lakestream.spark.types.PartitionKey;
import java.io.Serializable;
import java.util.List;

/**
 * One file group as of an instant: what was compacted or written whole, and the changes after it.
 *
 * @param partition the typed partition values
 * @param partitionPath the partition's folder, relative to the table's path; empty if unpartitioned
 * @param fileId Hudi's id of the file group
 * @param bucket the bucket that all rows belong to, or {@link #UNKNOWN_BUCKET}
 * @param baseFile the base file, or null
 * @param logFiles the log files that apply on top of it, in the order in which they apply
 */
public record LakeSlice(
    PartitionKey partition,
    String partitionPath,
    String fileId,
    int bucket,
    LakeFile baseFile,
    List<LakeFile> logFiles)
    implements Serializable {

  /** The file group does not tell its bucket, for example because clustering wrote it. */
  public static final int UNKNOWN_BUCKET = -1;

  public LakeSlice {
    logFiles = List.copyOf(logFiles);
  }

  public boolean hasLogFiles() {
    return !logFiles.isEmpty();
  }

  /** The bytes of all its files. */
  public long length() {
    long total = baseFile == null ? 0 : baseFile.length();
    for (LakeFile file : logFiles) {
      total += file.length();
    }
    return total;
  }
}
