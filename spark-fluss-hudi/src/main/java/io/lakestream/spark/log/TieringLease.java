package io.lakestream.spark.log;

import io.lakestream.spark.types.TablePath;

/**
 * A table that a cluster has given to one tiering service, until it is given back or the service
 * falls silent.
 *
 * @param path database and name
 * @param tableId Fluss's id of the table
 * @param tieringEpoch grows each time the table is given to a service
 * @param coordinatorEpoch the coordinator that gave it; after another one has taken its place the
 *     lease is void
 */
public record TieringLease(TablePath path, long tableId, long tieringEpoch, int coordinatorEpoch) {}
