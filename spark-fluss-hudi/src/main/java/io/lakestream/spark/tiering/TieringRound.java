package io.lakestream.spark.tiering;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeBucket;
import io.lakestream.spark.lake.LakeBucketWriterFactory;
import io.lakestream.spark.lake.LakeTableDefinition;
import io.lakestream.spark.lake.LakeTableWriter;
import io.lakestream.spark.lake.LakeTables;
import io.lakestream.spark.lake.LakeWriteResult;
import io.lakestream.spark.lake.LakeWriteSplit;
import io.lakestream.spark.log.LakeSnapshot;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogReaderFactory;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.TablePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Moves what is new in a table's log into its lake, as one Hudi instant, and reports that to the
 * cluster: recover, request the instant, freeze, prepare, write, check, commit, report (after
 * FIP-24). For each bucket every offset ends up in exactly one completed instant, whatever dies on
 * the way; the next round repairs what this one left. Run at most one round per table at a time: of
 * two rounds, one is refused at its commit. Thread-safe.
 */
public final class TieringRound {
  private static final String DATALAKE_ENABLED = "table.datalake.enabled";

  private final LogCluster cluster;
  private final LakeTables lakes;
  private final RoundExecutor executor;
  private final RoundRecovery recovery;
  private final RoundFreezer freezer;
  private final RoundCommitter committer;

  public TieringRound(
      LogCluster cluster, LakeTables lakes, RoundExecutor executor, OffsetsFileReader files) {
    this.cluster = cluster;
    this.lakes = lakes;
    this.executor = executor;
    this.recovery = new RoundRecovery(cluster, files);
    this.freezer = new RoundFreezer(cluster);
    this.committer = new RoundCommitter(cluster);
  }

  /**
   * Runs one round.
   *
   * @throws LakestreamException {@code TIERING_REFUSED} if the table cannot or must not be tiered,
   *     {@code LOG_GAP} if untiered offsets are lost, {@code TIERING_CONFLICT} if another writer
   *     was there, {@code TABLE_REPLACED} if the table was created again meanwhile, {@code
   *     TIERING_FAILED} for whatever else; unless only the report failed, nothing is visible then
   */
  public RoundResult run(TablePath path, TieringSettings settings) {
    LogTable table = cluster.table(path);
    refuseForeignOwner(table);
    try (LakeTableWriter lake = lakes.openOrCreate(definition(table, settings))) {
      recovery.rollBackDeadRounds(table, lake);
      Optional<String> recovered = recovery.reportMissingRound(table, lake);
      FrozenRound outlook = freezer.freeze(table, lake);
      if (!outlook.moved()) {
        return new RoundResult(Optional.empty(), 0, 0, outlook.offsets(), recovered);
      }
      return run(table, lake, outlook.reported(), recovered);
    }
  }

  /**
   * Compacts the lake of a primary-key table, see {@link LakeTableWriter#compact}.
   *
   * @return the requested time of the compaction, empty if there was nothing to compact
   */
  public Optional<String> compact(TablePath path, TieringSettings settings) {
    LogTable table = cluster.table(path);
    refuseForeignOwner(table);
    if (!table.hasPrimaryKey()) {
      return Optional.empty();
    }
    try (LakeTableWriter lake = lakes.openOrCreate(definition(table, settings))) {
      return lake.compact();
    } catch (RuntimeException failure) {
      throw coded(table, "the compaction", failure);
    }
  }

  private RoundResult run(
      LogTable table,
      LakeTableWriter lake,
      Optional<LakeSnapshot> reported,
      Optional<String> recovered) {
    String round = UUID.randomUUID().toString();
    String instant =
        lake.requestInstant(
            reported.isPresent()
                ? OptionalLong.of(reported.get().snapshotId())
                : OptionalLong.empty());
    FrozenRound frozen;
    String offsetsPath;
    try {
      frozen = freeze(table, lake, instant);
      offsetsPath = cluster.snapshotReporter(table).prepare(frozen.offsets());
      lake.beginInstant(instant, RoundCommitter.inflightMetadata(round));
    } catch (RuntimeException failure) {
      undo(failure, () -> lake.discardInstant(instant));
      throw failure;
    }
    List<LakeWriteResult> results;
    try {
      results = write(frozen, lake, instant, round);
      committer.compare(frozen, lake, instant);
      committer.commit(frozen, lake, instant, round, offsetsPath, results);
    } catch (RuntimeException failure) {
      undo(failure, () -> rollBackInflight(lake, instant));
      throw coded(table, "the round with instant " + instant, failure);
    }
    committer.report(frozen, instant, offsetsPath);
    return new RoundResult(
        Optional.of(instant),
        results.stream().mapToLong(LakeWriteResult::rows).sum(),
        results.stream().mapToLong(LakeWriteResult::deletes).sum(),
        frozen.offsets(),
        recovered);
  }

  private FrozenRound freeze(LogTable table, LakeTableWriter lake, String instant) {
    FrozenRound frozen = freezer.freeze(table, lake);
    boolean grows =
        frozen.reported().map(known -> known.snapshotId() < Long.parseLong(instant)).orElse(true)
            && frozen.newestDataInstant().map(newest -> newest.compareTo(instant) < 0).orElse(true);
    if (!frozen.moved() || !grows) {
      throw LakestreamException.of(
          ErrorCode.TIERING_CONFLICT,
          table.path(),
          "another round finished after the instant " + instant + " had been requested.",
          "Run one round at a time.");
    }
    return frozen;
  }

  private List<LakeWriteResult> write(
      FrozenRound frozen, LakeTableWriter lake, String instant, String round) {
    LogTable table = frozen.table();
    List<LakeBucket> targets =
        frozen.ranges().stream().map(FrozenRound.BucketRange::target).toList();
    Map<LakeBucket, String> groups = table.hasPrimaryKey() ? lake.fileGroups(targets) : Map.of();
    LogReaderFactory readers = cluster.readerFactory(table);
    LakeBucketWriterFactory writers = lake.bucketWriters();
    List<BucketTask> tasks = new ArrayList<>();
    List<LakeWriteSplit> splits = new ArrayList<>();
    for (FrozenRound.BucketRange range : frozen.ranges()) {
      LakeWriteSplit split =
          new LakeWriteSplit(
              round,
              instant,
              table.tableId(),
              range.target(),
              groups.get(range.target()),
              splits.size(),
              targets.size());
      splits.add(split);
      tasks.add(
          new BucketTask(
              range.range(), split, table.schema(), table.primaryKey(), readers, writers));
    }
    List<LakeWriteResult> results = executor.run(tasks);
    committer.checkResults(splits, results, table);
    return results;
  }

  private static void refuseForeignOwner(LogTable table) {
    if (Boolean.parseBoolean(table.properties().get(DATALAKE_ENABLED))) {
      throw LakestreamException.of(
          ErrorCode.TIERING_REFUSED,
          table.path(),
          DATALAKE_ENABLED + "=true, so Fluss's own tiering service owns the table's lake.",
          "Set " + DATALAKE_ENABLED + "=false to tier it from Spark.");
    }
  }

  private static LakeTableDefinition definition(LogTable table, TieringSettings settings) {
    return new LakeTableDefinition(
        table.path(),
        table.tableId(),
        settings.lakePath(),
        table.schema(),
        table.primaryKey(),
        table.partitionColumns(),
        table.bucketColumns(),
        table.buckets(),
        settings.recordKey());
  }

  private static void rollBackInflight(LakeTableWriter lake, String instant) {
    if (lake.isInflight(instant)) {
      lake.rollback(instant);
    }
  }

  private static void undo(RuntimeException failure, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException second) {
      failure.addSuppressed(second);
    }
  }

  private static RuntimeException coded(LogTable table, String what, RuntimeException failure) {
    if (failure instanceof LakestreamException) {
      return failure;
    }
    return LakestreamException.of(
        ErrorCode.TIERING_FAILED,
        table.path(),
        what + " failed: " + failure.getMessage() + ".",
        "Run it again; it goes on where the last committed one ended.",
        failure);
  }
}
