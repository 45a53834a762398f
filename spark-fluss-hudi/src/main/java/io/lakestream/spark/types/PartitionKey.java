package io.lakestream.spark.types;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The identity of a partition: its typed values in the order of the partition columns, in Spark's
 * internal representation (for example DATE as Integer days, STRING as UTF8String). The names that
 * Fluss and Hudi give to a partition are only spellings of it. Empty for an unpartitioned table.
 * Binary values are equal by content.
 */
public record PartitionKey(List<Object> values) implements Serializable {
  /** The one partition of an unpartitioned table. */
  public static final PartitionKey NONE = new PartitionKey(List.of());

  public PartitionKey {
    values = Collections.unmodifiableList(values);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PartitionKey key
        && Arrays.deepEquals(values.toArray(), key.values.toArray());
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(values.toArray());
  }
}
