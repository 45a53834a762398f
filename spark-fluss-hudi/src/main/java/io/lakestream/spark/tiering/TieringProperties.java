package io.lakestream.spark.tiering;

import io.lakestream.spark.log.LogTable;

/** What Fluss's own properties of a table say about its tiering. */
public final class TieringProperties {
  static final String ENABLED = "table.datalake.enabled";

  /** By this property Fluss chooses the hash that decides the bucket of a row, too. */
  private static final String FORMAT = "table.datalake.format";

  private static final String HUDI = "hudi";

  private TieringProperties() {}

  /** Whether the cluster says when, and by which service, the table is tiered. */
  public static boolean isScheduledByCluster(LogTable table) {
    return Boolean.parseBoolean(table.properties().get(ENABLED));
  }

  /** Whether the table is one that the cluster keeps for Hudi. */
  public static boolean isForHudi(LogTable table) {
    return HUDI.equalsIgnoreCase(table.properties().get(FORMAT));
  }
}
