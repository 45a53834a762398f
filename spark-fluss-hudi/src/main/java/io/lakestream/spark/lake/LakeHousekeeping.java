package io.lakestream.spark.lake;

import java.time.Duration;
import java.util.Optional;

/**
 * What keeps a lake table fast and small. Each step is an instant of its own that carries no
 * offsets and is never a lake snapshot. Errors are {@link
 * io.lakestream.spark.error.LakestreamException}s.
 */
public interface LakeHousekeeping {

  /**
   * Merges the log files of a primary-key table into new base files. A compaction that was
   * scheduled, or that died, is run first.
   *
   * @param minimumRounds how many rounds there must have been since the last compaction for a new
   *     one
   * @return the requested time of the compaction, empty if there was nothing to compact
   * @throws io.lakestream.spark.error.LakestreamException {@code TIERING_CONFLICT} if another job
   *     is running it; {@code TIERING_FAILED} if the clock is behind the timeline
   */
  Optional<String> compact(int minimumRounds);

  /**
   * Merges small files of a log table into larger ones, each with rows of one bucket in the order
   * of their offsets. A clustering that died is run first.
   *
   * @param minimumRounds how many rounds there must have been since the last clustering for a new
   *     one
   * @param fileSize the wanted size of a file in bytes, up to which files are merged
   * @return the requested time of the clustering, empty if there was nothing to merge
   * @throws io.lakestream.spark.error.LakestreamException {@code TIERING_CONFLICT} if another job
   *     is running it, or if another writer has planned one
   */
  Optional<String> cluster(int minimumRounds, long fileSize);

  /**
   * Deletes files that no read needs which is as of an instant that was the newest at some moment
   * within {@code retention}, and moves older instants off the active timeline.
   *
   * @param retention in whole hours, rounded up
   * @param minimumInstants how many instants there must have been since the last cleaning
   * @return the requested time of the cleaning, empty if nothing was cleaned
   */
  Optional<String> clean(Duration retention, int minimumInstants);
}
