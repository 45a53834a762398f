package io.lakestream.spark.log;

import io.lakestream.spark.types.PartitionKey;

/**
 * A partition that the cluster has now.
 *
 * @param id Fluss's id; a partition that is dropped and created again gets a new one
 * @param name Fluss's name, the values joined by {@code $}
 * @param key the typed values
 */
public record LogPartition(long id, String name, PartitionKey key) {}
