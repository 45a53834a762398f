package io.lakestream.spark.options;

/** Which tiers a read answers from. */
public enum ReadMode {
  /** Lake and log; the log alone as long as nothing was ever tiered. */
  AUTO,
  /** Lake and log; an error as long as nothing was ever tiered. */
  REQUIRED,
  /** The lake alone, as of the snapshot that the cluster reports. */
  LAKE
}
