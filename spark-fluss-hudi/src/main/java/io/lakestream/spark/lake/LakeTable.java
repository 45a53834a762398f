package io.lakestream.spark.lake;

import io.lakestream.spark.types.PartitionKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Driver-side view of one Hudi table, with its timeline as it was when opened. Thread-safe. Errors
 * are {@link io.lakestream.spark.error.LakestreamException}s with the {@code LAKE_} codes.
 */
public interface LakeTable {

  /** The table's folder. */
  String path();

  /**
   * The id of the log table whose rounds made this lake, empty if the lake does not tell. A table
   * that was dropped and created again has the path of the old one, but not its id.
   */
  OptionalLong ownerId();

  /** The requested time of the newest completed data instant, empty if there is none. */
  Optional<String> latestInstant();

  /**
   * The newest completed data instant that is not after a point, archived ones included.
   *
   * @return its requested time
   * @throws io.lakestream.spark.error.LakestreamException {@code LAKE_SNAPSHOT_GONE} if the lake
   *     knows none that old
   */
  String instantAsOf(AsOf point);

  /**
   * The file slices as of an instant: files of completed instants up to it only, checked against
   * commit metadata; empty slices are left out.
   *
   * @param instant the requested time of a completed data instant
   * @param partitions which partitions are wanted
   * @throws io.lakestream.spark.error.LakestreamException {@code LAKE_MISMATCH} if the timeline
   *     never had the instant, {@code LAKE_SNAPSHOT_GONE} if files of it were cleaned
   */
  List<LakeSlice> slices(String instant, Predicate<PartitionKey> partitions);

  /** What tasks use to read slices as of the instant. */
  LakeReaderFactory readerFactory(String instant);
}
