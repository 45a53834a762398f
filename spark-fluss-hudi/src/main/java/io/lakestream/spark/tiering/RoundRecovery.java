package io.lakestream.spark.tiering;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeRound;
import io.lakestream.spark.lake.LakeTableWriter;
import io.lakestream.spark.lake.PendingInstant;
import io.lakestream.spark.lake.RoundMetadata;
import io.lakestream.spark.log.LakeSnapshot;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogTable;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

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
    Optional<RoundOffsets> own = ownOffsets(table, lake, round);
    own.ifPresent(offsets -> checkTable(table, lake, round, offsets));
    if (round.snapshotId() == known) {
      own.ifPresent(offsets -> checkSame(table, lake, reported.orElseThrow(), offsets));
      return Optional.empty();
    }
    RoundOffsets offsets = own.orElseGet(() -> fromFlussFile(table, round));
    checkTable(table, lake, round, offsets);
    // The file that the instant names may be gone by now, so it is stored once more.
    String path = cluster.snapshotReporter(table).prepare(offsets.offsets());
    RoundCommitter.tell(cluster, table, round.snapshotId(), path, offsets.offsets());
    return Optional.of(round.instant());
  }

  private static Optional<RoundOffsets> ownOffsets(
      LogTable table, LakeTableWriter lake, LakeRound round) {
    String json = round.metadata().get(RoundMetadata.OFFSETS);
    try {
      return Optional.ofNullable(json).map(RoundOffsets::parse);
    } catch (IllegalArgumentException failure) {
      throw LakestreamException.of(
          ErrorCode.LAKE_UNREADABLE,
          table.path(),
          "the instant "
              + round.instant()
              + " at "
              + lake.path()
              + " has the unreadable offsets "
              + json
              + ".",
          "Restore the instant's file in the Hudi timeline.",
          failure);
    }
  }

  /** Offsets that are ahead of the lake's would lose rows, offsets behind would double them. */
  private static void checkSame(
      LogTable table, LakeTableWriter lake, LakeSnapshot reported, RoundOffsets offsets) {
    TreeSet<LogBucket> buckets = new TreeSet<>(reported.tieredOffsets().keySet());
    buckets.addAll(offsets.offsets().keySet());
    for (LogBucket bucket : buckets) {
      Long known = reported.tieredOffsets().get(bucket);
      Long held = offsets.offsets().get(bucket);
      if (!Objects.equals(known, held)) {
        throw LakestreamException.of(
            ErrorCode.LAKE_MISMATCH,
            table.path(),
            "as of the instant "
                + reported.instant()
                + " Fluss reports the offset "
                + (known == null ? "none" : known)
                + " for bucket "
                + bucket.bucket()
                + (bucket.partitionId() == null ? "" : " of partition " + bucket.partitionId())
                + " but the lake at "
                + lake.path()
                + " holds "
                + (held == null ? "none" : held)
                + ".",
            "Find out which tool changed one of them, and report the lake's offsets to Fluss again.");
      }
    }
  }

  private RoundOffsets fromFlussFile(LogTable table, LakeRound round) {
    String path = round.metadata().get(RoundMetadata.FLUSS_OFFSETS);
    try {
      Optional<String> text = path == null ? Optional.empty() : files.read(path);
      if (text.isPresent()) {
        return RoundOffsets.parseFlussFile(text.get());
      }
    } catch (IOException | IllegalArgumentException failure) {
      throw unknownOffsets(table, round, path, failure);
    }
    throw unknownOffsets(table, round, path, null);
  }

  private static LakestreamException unknownOffsets(
      LogTable table, LakeRound round, String path, Exception cause) {
    return LakestreamException.of(
        ErrorCode.TIERING_FAILED,
        table.path(),
        "the instant "
            + round.instant()
            + " was never reported to Fluss, and its offsets file "
            + path
            + " cannot be read"
            + (cause == null ? "." : ": " + cause.getMessage() + "."),
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
