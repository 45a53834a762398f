package io.lakestream.spark.lake;

/** The keys that a tiering round writes into the metadata of its instant. */
public final class RoundMetadata {
  /** Who tiered; the value is {@link #TIERING_USER} for Fluss's own service and for ours. */
  public static final String COMMIT_USER = "commit-user";

  /** The user name by which Fluss's tiering recognises its own instants (FIP-24). */
  public static final String TIERING_USER = "__fluss_lake_tiering";

  /** Path of the offsets file that Fluss stored; Fluss's own recovery reads the file. */
  public static final String FLUSS_OFFSETS = "fluss-offsets";

  /** Our own copy of the offsets, as versioned JSON, because Fluss deletes older offsets files. */
  public static final String OFFSETS = "lakestream.offsets";

  /** The id of the round; only our rounds have it. */
  public static final String ROUND = "lakestream.round";

  private RoundMetadata() {}
}
