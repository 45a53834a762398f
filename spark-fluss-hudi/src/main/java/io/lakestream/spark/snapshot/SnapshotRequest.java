package io.lakestream.spark.snapshot;

/**
 * What kind of snapshot a query wants.
 *
 * @param lakeOnly leave the log out
 * @param lakeRequired fail if nothing was ever tiered
 * @param failOnDataLoss fail, instead of skipping and counting, if a log table lost untiered rows
 */
public record SnapshotRequest(boolean lakeOnly, boolean lakeRequired, boolean failOnDataLoss) {}
