package io.lakestream.spark.read;

import io.lakestream.spark.lake.LakeReaderFactory;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.lake.LakeTable;
import io.lakestream.spark.log.LogReaderFactory;
import io.lakestream.spark.snapshot.UnionSnapshot;
import io.lakestream.spark.types.PartitionKey;
import java.util.List;
import java.util.function.Predicate;

/**
 * A table as one query sees it.
 *
 * @param snapshot what the query reads
 * @param lake the opened lake, or null if the snapshot has none
 * @param log reads the log
 */
record FrozenTable(UnionSnapshot snapshot, LakeTable lake, LogReaderFactory log) {

  List<LakeSlice> slices(Predicate<PartitionKey> partitions) {
    return lake == null ? List.of() : lake.slices(snapshot.instant(), partitions);
  }

  LakeReaderFactory lakeReader() {
    return lake == null ? null : lake.readerFactory(snapshot.instant());
  }
}
