package io.lakestream.spark.tiering;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeRound;
import io.lakestream.spark.lake.LakeTableWriter;
import io.lakestream.spark.lake.PendingInstant;
import io.lakestream.spark.lake.RoundMetadata;
import io.lakestream.spark.log.LakeSnapshot;
import io.lakestream.spark.log.LakeSnapshotReporter;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogTable;
import java.io.IOException;
import java.util.Optional;

/**
 * Brings lake and cluster to one state after a round that died: the lake's timeline decides what
 * was committed. Doing it twice changes nothing.
 */
final class RoundRecovery {
  private final LogCluster cluster;
  private final OffsetsFileReader files;

  RoundRecovery(LogCluster cluster, OffsetsFileReader files) {
    this.cluster = cluster;
    this.files = files;
  }

  /**
   * Removes the pending instants of dead rounds. A live one, and one of another writer, is not
   * touched and stops this round: its rows could become visible under an instant older than ours.
   */
  void removeDeadInstants(LogTable table, LakeTableWriter lake) {
    for (PendingInstant pending : lake.pendingInstants()) {
      if (pending.alive()) {
        throw live(table, lake, pending);
      }
      if (pending.begun() && pending.isOurs()) {
        lake.rollback(pending.instant());
      } else if (!pending.begun() && pending.silence().isPresent()) {
        lake.discardInstant(pending.instant());
      } else {
        throw LakestreamException.of(
            ErrorCode.TIERING_CONFLICT,
            table.path(),
            "the lake at "
                + lake.path()
                + " has the pending instant "
                + pending.instant()
                + " of another writer.",
            "Wait until it has finished, or roll it back if its writer is gone.");
      }
    }
  }

  /** Fails if a live round requested its instant before this one: then this one goes no further. */
  void giveWay(LogTable table, LakeTableWriter lake, String instant) {
    for (PendingInstant pending : lake.pendingInstants()) {
      if (pending.alive() && pending.instant().compareTo(instant) < 0) {
        throw live(table, lake, pending);
      }
    }
  }

  private static LakestreamException live(
      LogTable table, LakeTableWriter lake, PendingInstant pending) {
    return LakestreamException.of(
        ErrorCode.TIERING_CONFLICT,
        table.path(),
        "the lake at "
            + lake.path()
            + " has the pending instant "
            + pending.instant()
            + ", whose writer gave a sign of life "
            + pending.silence().orElseThrow().toMillis()
            + " ms ago.",
        "Wait until it has finished. If its writer is gone, it counts as dead once it was silent"
            + " for 'tiering.heartbeat.timeout'.");
  }

  /**
   * Reports the lake's newest round if the cluster does not know it yet.
   *
   * @return the instant that was reported
   */
  Optional<String> reportMissingRound(LogTable table, LakeTableWriter lake) {
    Optional<LakeSnapshot> reported = cluster.readableLakeSnapshot(table);
    Optional<LakeRound> newest = lake.newestRound();
    long known = reported.map(LakeSnapshot::snapshotId).orElse(-1L);
    if (newest.isEmpty() ? reported.isPresent() : newest.get().snapshotId() < known) {
      throw LakestreamException.of(
          ErrorCode.LAKE_MISMATCH,
          table.path(),
          "Fluss reports the lake snapshot "
              + known
              + " but the newest round in the lake at "
              + lake.path()
              + " is "
              + newest.map(LakeRound::instant).orElse("none")
              + ".",
          "Point the table to the lake that it was tiered to.");
    }
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    LakeRound round = newest.get();
    String own = round.metadata().get(RoundMetadata.OFFSETS);
    if (own != null) {
      checkTable(table, lake, round, RoundOffsets.parse(own));
    }
    if (round.snapshotId() == known) {
      return Optional.empty();
    }
    RoundOffsets offsets = own == null ? fromFlussFile(table, round) : RoundOffsets.parse(own);
    checkTable(table, lake, round, offsets);
    LakeSnapshotReporter reporter = cluster.snapshotReporter(table);
    // The file that the instant names may be gone by now, so it is stored once more.
    String path = reporter.prepare(offsets.offsets());
    reporter.commit(round.snapshotId(), path, offsets.offsets());
    return Optional.of(round.instant());
  }

  private RoundOffsets fromFlussFile(LogTable table, LakeRound round) {
    String path = round.metadata().get(RoundMetadata.FLUSS_OFFSETS);
    try {
      Optional<String> text = path == null ? Optional.empty() : files.read(path);
      if (text.isPresent()) {
        return RoundOffsets.parseFlussFile(text.get());
      }
    } catch (IOException failure) {
      throw unknownOffsets(table, round, path, failure);
    }
    throw unknownOffsets(table, round, path, null);
  }

  private static LakestreamException unknownOffsets(
      LogTable table, LakeRound round, String path, IOException cause) {
    return LakestreamException.of(
        ErrorCode.TIERING_FAILED,
        table.path(),
        "the instant "
            + round.instant()
            + " was never reported to Fluss, and its offsets file "
            + path
            + " cannot be read.",
        "Let Fluss's own tiering service report the instant, or restore the file.",
        cause);
  }

  private static void checkTable(
      LogTable table, LakeTableWriter lake, LakeRound round, RoundOffsets offsets) {
    if (offsets.tableId() != table.tableId()) {
      throw LakestreamException.of(
          ErrorCode.LAKE_MISMATCH,
          table.path(),
          "the lake at "
              + lake.path()
              + " holds the table with id "
              + offsets.tableId()
              + " as of instant "
              + round.instant()
              + ", but the table has the id "
              + table.tableId()
              + ".",
          "The table was created again: give it another lake path, or drop the old lake table.");
    }
  }
}
