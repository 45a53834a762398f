package io.lakestream.spark.catalog;

import io.lakestream.spark.lake.LakeCatalog;
import io.lakestream.spark.log.LogCluster;

/**
 * The two tiers, connected.
 *
 * @param log the Fluss cluster
 * @param lakes opens Hudi tables
 */
record Tiers(LogCluster log, LakeCatalog lakes) {}
