package io.lakestream.spark.lake;

import java.util.Map;

/**
 * A data instant of the lake that a tiering service wrote.
 *
 * @param instant its requested time, as Hudi spells it
 * @param metadata its extra metadata, see {@link RoundMetadata}
 */
public record LakeRound(String instant, Map<String, String> metadata) {
  public LakeRound {
    metadata = Map.copyOf(metadata);
  }

  /** The instant as a number, which is the lake snapshot id that Fluss knows it by (FIP-24). */
  public long snapshotId() {
    return Long.parseLong(instant);
  }
}
