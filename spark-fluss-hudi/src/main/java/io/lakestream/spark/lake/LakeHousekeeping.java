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
   *     is running it
   */
  Optional<String> compact(int minimumRounds);

  /**
   * Deletes files that no read needs which is as of an instant younger than {@code retention}, or
   * as of the newest one, and moves older instants off the active timeline.
   *
   * @param retention in whole hours, rounded up
   * @param minimumInstants how many instants there must have been since the last cleaning
   * @return the requested time of the cleaning, empty if nothing was cleaned
   */
  Optional<String> clean(Duration retention, int minimumInstants);
}
