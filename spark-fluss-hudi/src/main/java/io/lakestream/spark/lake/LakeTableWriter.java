package io.lakestream.spark.lake;

import java.io.Closeable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Driver-side write access to one lake table. Each call sees the timeline as it is at that moment.
 * Data instants are those that add or change rows: compaction, clustering, cleaning and rollbacks
 * are none. Not thread-safe. Errors are {@link io.lakestream.spark.error.LakestreamException}s.
 */
public interface LakeTableWriter extends Closeable {

  /** The table's folder. */
  String path();

  /** The newest completed data instant, whoever wrote it. */
  Optional<String> newestDataInstant();

  /** The newest completed data instant that a tiering service wrote, with its metadata. */
  Optional<LakeRound> newestRound();

  /** The data instants that are requested or inflight, the oldest first. */
  List<PendingInstant> pendingInstants();

  /**
   * Adds a requested instant to the timeline, and gives signs of life for it until it is discarded,
   * committed or rolled back, or this writer is closed.
   *
   * @param above the lake snapshot id that the instant has to exceed, if there is one
   * @return its requested time, greater than all others on the timeline
   * @throws io.lakestream.spark.error.LakestreamException {@code TIERING_FAILED} if the clock gives
   *     no such time; then the timeline is left as it was
   */
  String requestInstant(OptionalLong above);

  /**
   * Takes an instant under which nothing was written off the timeline again. Nothing happens if it
   * is no longer there.
   */
  void discardInstant(String instant);

  /** Makes a requested instant inflight and keeps the metadata in it. */
  void beginInstant(String instant, Map<String, String> metadata);

  /**
   * The file groups that buckets of a primary-key table have; buckets without one are left out.
   *
   * @throws io.lakestream.spark.error.LakestreamException {@code LAKE_UNSUPPORTED} if a bucket has
   *     several
   */
  Map<LakeBucket, String> fileGroups(Collection<LakeBucket> buckets);

  /** What tasks use to write. */
  LakeBucketWriterFactory bucketWriters();

  boolean isInflight(String instant);

  /**
   * Whether the signs of life for an instant of this writer went on without too long a break; if
   * not, another round may have taken this one for dead.
   */
  boolean isAlive(String instant);

  /** Whether an instant is complete, and no other writer took it over before it was. */
  boolean isCompleted(String instant);

  /**
   * Completes an inflight instant with exactly the files of the results. After an exception only
   * {@link #isCompleted} tells whether it happened.
   *
   * @throws io.lakestream.spark.error.LakestreamException {@code TIERING_CONFLICT} if another
   *     writer took the instant over, so that its files may be gone
   */
  void commit(String instant, List<LakeWriteResult> results, Map<String, String> metadata);

  /**
   * Rolls back an inflight instant and deletes its files, if this writer requested it or its writer
   * is dead. An instant that has become complete by then is left alone.
   *
   * @throws io.lakestream.spark.error.LakestreamException {@code TIERING_CONFLICT} if another
   *     writer is rolling it back
   */
  void rollback(String instant);

  /** Compaction and cleaning, which are no part of a round. */
  LakeHousekeeping housekeeping();

  @Override
  void close();
}
