package io.lakestream.spark.lake;

import io.lakestream.spark.types.PartitionKey;
import java.io.Serializable;

/** One bucket of the lake: the typed partition values and the bucket number that Fluss gave. */
public record LakeBucket(PartitionKey partition, int bucket) implements Serializable {}
