package io.lakestream.spark.tiering;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeTableWriter;
import io.lakestream.spark.lake.LakeWriteResult;
import io.lakestream.spark.lake.LakeWriteSplit;
import io.lakestream.spark.lake.PendingInstant;
import io.lakestream.spark.lake.RoundMetadata;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogTable;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The end of a round: check, compare, commit, report. */
final class RoundCommitter {
  private final LogCluster cluster;
  private final TableOwner owner;

  RoundCommitter(LogCluster cluster, TableOwner owner) {
    this.cluster = cluster;
    this.owner = owner;
  }

  /** What the inflight instant carries, so that a later round can tell whose it is. */
  static Map<String, String> inflightMetadata(RoundId round) {
    return Map.of(
        RoundMetadata.COMMIT_USER, RoundMetadata.TIERING_USER, RoundMetadata.ROUND, round.id());
  }

  /** Refuses results that are not exactly one for each split of this round. */
  void checkResults(List<LakeWriteSplit> splits, List<LakeWriteResult> results, LogTable table) {
    BitSet seen = new BitSet(splits.size());
    for (LakeWriteResult result : results) {
      LakeWriteSplit split = result.split();
      int index = split.index();
      boolean known = index >= 0 && index < splits.size() && splits.get(index).equals(split);
      if (!known || seen.get(index)) {
        throw LakestreamException.of(
            ErrorCode.TIERING_FAILED,
            table.path(),
            "a write result is not of this round or came twice: " + split + ".",
            "The round was rolled back; run it again.");
      }
      seen.set(index);
    }
    if (seen.cardinality() != splits.size()) {
      throw LakestreamException.of(
          ErrorCode.TIERING_FAILED,
          table.path(),
          "only " + seen.cardinality() + " of " + splits.size() + " splits have a write result.",
          "The round was rolled back; run it again.");
    }
  }

  /** Fails if anything that the round was frozen on is no longer so. */
  void compare(FrozenRound frozen, LakeTableWriter lake, String instant) {
    LogTable table = frozen.table();
    LogTable now = cluster.table(table.path());
    long tableId = now.tableId();
    if (tableId != table.tableId()) {
      throw LakestreamException.of(
          ErrorCode.TABLE_REPLACED,
          table.path(),
          "the round tiers the table with id "
              + table.tableId()
              + " but the table now has the id "
              + tableId
              + ".",
          "The round was rolled back; run it again on the new table with a lake path of its own.");
    }
    if (now.schemaId() != table.schemaId()) {
      // Rows of the newer schema may be in the ranges, and were read without their new columns.
      throw conflict(
          table,
          "the table's schema changed from id "
              + table.schemaId()
              + " to id "
              + now.schemaId()
              + " during the round");
    }
    owner.check(now);
    if (!lake.isInflight(instant)) {
      throw conflict(table, "the instant " + instant + " of this round is no longer inflight");
    }
    if (!lake.isAlive(instant)) {
      throw conflict(
          table,
          "this round could give no sign of life for its instant "
              + instant
              + " for so long that others may have taken it for dead");
    }
    // Of two rounds that are pending at once, the one that compares last sees the other: here, or
    // completed below.
    lake.pendingInstants().stream()
        .map(PendingInstant::instant)
        .filter(other -> !other.equals(instant))
        .findFirst()
        .ifPresent(
            other -> {
              throw conflict(table, "the instant " + other + " of another round is pending");
            });
    if (!lake.newestDataInstant().equals(frozen.newestDataInstant())) {
      throw conflict(
          table,
          "the lake's newest data instant is "
              + lake.newestDataInstant().orElse("none")
              + " but was "
              + frozen.newestDataInstant().orElse("none")
              + " when the round began");
    }
    if (!cluster.readableLakeSnapshot(table).equals(frozen.reported())) {
      throw conflict(
          table,
          "Fluss now reports "
              + cluster.readableLakeSnapshot(table)
              + " but reported "
              + frozen.reported()
              + " when the round began");
    }
  }

  /** Completes the instant; the timeline, not the exception, tells whether that happened. */
  void commit(
      FrozenRound frozen,
      LakeTableWriter lake,
      String instant,
      RoundId round,
      String offsetsPath,
      List<LakeWriteResult> results) {
    Map<String, String> metadata = new HashMap<>(inflightMetadata(round));
    metadata.put(RoundMetadata.FLUSS_OFFSETS, offsetsPath);
    metadata.put(
        RoundMetadata.OFFSETS,
        new RoundOffsets(frozen.table().tableId(), frozen.offsets()).toJson());
    try {
      lake.commit(instant, results, metadata);
    } catch (RuntimeException failure) {
      if (!isCompleted(frozen.table(), lake, instant, failure)) {
        throw failure;
      }
    }
  }

  private static boolean isCompleted(
      LogTable table, LakeTableWriter lake, String instant, RuntimeException failure) {
    try {
      return lake.isCompleted(instant);
    } catch (RuntimeException second) {
      failure.addSuppressed(second);
      throw LakestreamException.of(
          ErrorCode.TIERING_OUTCOME_UNKNOWN,
          table.path(),
          "the commit of the instant "
              + instant
              + " failed ("
              + failure.getMessage()
              + "), and the lake at "
              + lake.path()
              + " does not tell whether the instant is complete: "
              + second.getMessage(),
          "Run the next round once the lake can be read: it reports the instant if it is complete,"
              + " and rolls it back if not.",
          failure);
    }
  }

  /**
   * Tells Fluss of the completed instant.
   *
   * @throws LakestreamException {@code TIERING_NOT_REPORTED}: the rows are in the lake all the
   *     same, and readers go on to take them from the log; {@code TABLE_REPLACED}: they are in the
   *     lake of the table that was dropped
   */
  void report(FrozenRound frozen, String instant, String offsetsPath) {
    try {
      tell(cluster, frozen.table(), Long.parseLong(instant), offsetsPath, frozen.offsets());
    } catch (RuntimeException failure) {
      if (failure instanceof LakestreamException coded
          && coded.code() == ErrorCode.TABLE_REPLACED) {
        throw failure;
      }
      throw LakestreamException.of(
          ErrorCode.TIERING_NOT_REPORTED,
          frozen.table().path(),
          "the instant "
              + instant
              + " is complete in the lake, but Fluss could not be told: "
              + failure.getMessage(),
          "Nothing is lost; the next round tells Fluss first.",
          failure);
    }
  }

  /**
   * Makes a lake snapshot the reported one. If a later one is reported already, its round has told
   * of this one first, and nothing happens.
   */
  static void tell(
      LogCluster cluster,
      LogTable table,
      long snapshotId,
      String offsetsPath,
      Map<LogBucket, Long> offsets) {
    boolean late =
        cluster
            .readableLakeSnapshot(table)
            .map(reported -> reported.snapshotId() > snapshotId)
            .orElse(false);
    if (!late) {
      cluster.snapshotReporter(table).commit(snapshotId, offsetsPath, offsets);
    }
  }

  private static LakestreamException conflict(LogTable table, String problem) {
    return LakestreamException.of(
        ErrorCode.TIERING_CONFLICT,
        table.path(),
        problem + ".",
        "Another writer was there; the round was rolled back. Run one round at a time.");
  }
}
