package io.lakestream.spark.read;

import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.types.PartitionKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Lists the partitions of a table: those that Fluss has and those that only the lake still has. */
public final class PartitionLister {
  private PartitionLister() {}

  public static List<PartitionKey> list(ReadContext context) {
    Set<PartitionKey> keys = new LinkedHashSet<>();
    for (LogPartition partition : context.cluster().partitions(context.table())) {
      keys.add(partition.key());
    }
    for (LakeSlice slice : TableFreezer.freeze(context).slices(PartitionFilters.NONE)) {
      keys.add(slice.partition());
    }
    return List.copyOf(keys);
  }
}
