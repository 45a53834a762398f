package io.lakestream.spark.log;

import java.util.Map;

/**
 * What the cluster knows of the lake.
 *
 * @param snapshotId the Hudi instant's requested time as a number
 * @param tieredOffsets per bucket the exclusive end of what the lake holds; may name partitions
 *     that no longer exist, and may lack buckets that were never tiered
 */
public record LakeSnapshot(long snapshotId, Map<LogBucket, Long> tieredOffsets) {
  public LakeSnapshot {
    tieredOffsets = Map.copyOf(tieredOffsets);
  }

  /** The instant's requested time as Hudi spells it, 17 digits. */
  public String instant() {
    return String.format("%017d", snapshotId);
  }
}
