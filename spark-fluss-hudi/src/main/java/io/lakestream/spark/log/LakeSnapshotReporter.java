package io.lakestream.spark.log;

import java.util.Map;

/**
 * The two calls by which a tiering round makes a lake snapshot known to the cluster (FIP-24). The
 * server validates neither ids nor offsets: callers must have done so. Errors as in {@link
 * LogCluster}.
 */
public interface LakeSnapshotReporter {

  /**
   * Lets the cluster store the offsets of a snapshot to come.
   *
   * @param offsets per bucket the exclusive end of what the lake will hold
   * @return the path of the stored offsets file, which goes into the instant's metadata
   */
  String prepare(Map<LogBucket, Long> offsets);

  /**
   * Makes the snapshot the readable one.
   *
   * @param snapshotId the instant as a number
   * @param offsetsPath what {@link #prepare} returned
   * @param offsets the same offsets again; servers learn from them what they may expire
   */
  void commit(long snapshotId, String offsetsPath, Map<LogBucket, Long> offsets);
}
