package io.lakestream.spark.hudi;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.hudi.avro.model.HoodieSliceInfo;
import org.apache.hudi.index.bucket.BucketIdentifier;

/**
 * A file to be made of others.
 *
 * @param index its place in the plan
 * @param partitionPath the folder of all of them, relative to the table's path
 * @param bucket the bucket of all their rows
 * @param sources the files to be read
 */
record MergedFile(int index, String partitionPath, int bucket, List<String> sources)
    implements Serializable {

  /** The file that a group of a clustering plan stands for. */
  static MergedFile of(int index, List<HoodieSliceInfo> slices) {
    List<String> sources = new ArrayList<>();
    slices.forEach(slice -> sources.add(slice.getDataFilePath()));
    HoodieSliceInfo first = slices.get(0);
    return new MergedFile(
        index,
        first.getPartitionPath(),
        BucketIdentifier.bucketIdFromFileId(first.getFileId()),
        sources);
  }
}
