package io.lakestream.spark.tiering;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeBucket;
import io.lakestream.spark.lake.LakeBucketWriterFactory;
import io.lakestream.spark.lake.LakeHousekeeping;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Moves what is new in a table's log into its lake, as one Hudi instant, and reports that to the
 * cluster: recover, request the instant, freeze, prepare, write, check, commit, report (after
 * FIP-24). For each bucket every offset ends up in exactly one completed instant, whatever dies on
 * the way; the next round repairs what this one left. Run at most one round per table at a time: of
 * two rounds, one is refused at its commit. Thread-safe.
 */
public final class TieringRound {
  private final LogCluster cluster;
  private final LakeTables lakes;
  private final RoundExecutor executor;
  private final TableOwner owner;
  private final RoundRecovery recovery;
  private final RoundFreezer freezer;
  private final RoundCommitter committer;

  /** Rounds of tables that the cluster leaves to whoever wants to tier them. */
  public TieringRound(
      LogCluster cluster, LakeTables lakes, RoundExecutor executor, OffsetsFileReader files) {
    this(cluster, lakes, executor, files, TableOwner.NOBODY);
  }

  /**
   * Rounds of one table or of many.
   *
   * @param owner by what right they are tiered
   */
  public TieringRound(
      LogCluster cluster,
      LakeTables lakes,
      RoundExecutor executor,
      OffsetsFileReader files,
      TableOwner owner) {
    this.cluster = cluster;
    this.lakes = lakes;
    this.executor = executor;
    this.owner = owner;
    this.recovery = new RoundRecovery(cluster, files);
    this.freezer = new RoundFreezer(cluster);
    this.committer = new RoundCommitter(cluster, owner);
  }

  /**
   * Runs one round.
   *
   * @throws LakestreamException {@code TIERING_REFUSED} if the table cannot or must not be tiered,
   *     {@code LOG_GAP} if untiered offsets are lost, {@code TIERING_CONFLICT} if another writer is
   *     or was there, {@code TABLE_REPLACED} if the table was created again meanwhile, {@code
   *     TIERING_FAILED} for whatever else: nothing of the round is visible then; {@code
   *     TIERING_NOT_REPORTED} if the rows are in the lake and the next round will tell Fluss
   */
  public RoundResult run(TablePath path, TieringSettings settings) {
    StepTimes times = new StepTimes();
    LogTable table = cluster.table(path);
    owner.check(table);
    try (LakeTableWriter lake = lakes.openOrCreate(definition(table, settings))) {
      Optional<String> recovered = times.measure(RoundStep.RECOVER, () -> recover(table, lake));
      FrozenRound outlook =
          times.measure(RoundStep.FREEZE, () -> freezer.freeze(table, lake, settings.limits()));
      if (!outlook.moved()) {
        return result(Optional.empty(), List.of(), outlook, recovered, times);
      }
      return run(table, lake, settings.limits(), outlook, recovered, times);
    } catch (RuntimeException failure) {
      throw coded(table, "the round", failure);
    }
  }

  /**
   * Compacts the lake of a primary-key table, see {@link LakeHousekeeping#compact}. Beside a live
   * round it is refused.
   *
   * @param minimumRounds how many rounds there must have been since the last compaction
   * @return the requested time of the compaction, empty if there was nothing to compact
   */
  public Optional<String> compact(TablePath path, TieringSettings settings, int minimumRounds) {
    return keepHouse(
        path,
        settings,
        "the compaction",
        (table, lake) ->
            table.hasPrimaryKey() ? lake.housekeeping().compact(minimumRounds) : Optional.empty());
  }

  /**
   * Merges small files of the lake of a log table, see {@link LakeHousekeeping#cluster}. Beside a
   * live round it is refused.
   *
   * @param minimumRounds how many rounds there must have been since the last clustering
   * @param fileSize the wanted size of a file in bytes
   * @return the requested time of the clustering, empty if there was nothing to merge
   */
  public Optional<String> cluster(
      TablePath path, TieringSettings settings, int minimumRounds, long fileSize) {
    return keepHouse(
        path,
        settings,
        "the clustering",
        (table, lake) ->
            table.hasPrimaryKey()
                ? Optional.empty()
                : lake.housekeeping().cluster(minimumRounds, fileSize));
  }

  /**
   * Deletes what no read needs any more, see {@link LakeHousekeeping#clean}. Beside a live round it
   * is refused; a round that Fluss was not told of is reported first, so that Fluss's lake snapshot
   * is the newest one, which is kept.
   *
   * @param retention how long an instant can still be read after a newer one took its place
   * @param minimumInstants how many instants there must have been since the last cleaning
   * @return the requested time of the cleaning, empty if nothing was cleaned
   */
  public Optional<String> clean(
      TablePath path, TieringSettings settings, Duration retention, int minimumInstants) {
    return keepHouse(
        path,
        settings,
        "the cleaning",
        (table, lake) -> {
          recovery.reportMissingRound(table, lake);
          return lake.housekeeping().clean(retention, minimumInstants);
        });
  }

  private Optional<String> keepHouse(
      TablePath path,
      TieringSettings settings,
      String what,
      BiFunction<LogTable, LakeTableWriter, Optional<String>> step) {
    LogTable table = cluster.table(path);
    owner.check(table);
    try (LakeTableWriter lake = lakes.openOrCreate(definition(table, settings))) {
      recovery.removeDeadInstants(table, lake);
      return step.apply(table, lake);
    } catch (Exception failure) {
      // Spark throws checked exceptions that it does not declare.
      throw coded(table, what, failure);
    }
  }

  private RoundResult run(
      LogTable table,
      LakeTableWriter lake,
      RoundLimits limits,
      FrozenRound outlook,
      Optional<String> recovered,
      StepTimes times) {
    RoundId round = RoundId.next();
    String instant =
        times.measure(RoundStep.REQUEST, () -> request(table, lake, outlook.reported()));
    FrozenRound frozen;
    String offsetsPath;
    try {
      frozen = times.measure(RoundStep.FREEZE, () -> freeze(table, lake, instant, limits));
      offsetsPath = times.measure(RoundStep.PREPARE, () -> prepare(frozen, lake, instant, round));
    } catch (RuntimeException failure) {
      undo(failure, () -> lake.discardInstant(instant));
      throw failure;
    }
    List<LakeWriteResult> results;
    try {
      results = times.measure(RoundStep.WRITE, () -> write(frozen, lake, instant, round, limits));
      times.measure(RoundStep.CHECK, () -> committer.compare(frozen, lake, instant));
      times.measure(
          RoundStep.COMMIT,
          () -> committer.commit(frozen, lake, instant, round, offsetsPath, results));
    } catch (RuntimeException failure) {
      undo(failure, () -> rollBackInflight(lake, instant));
      throw coded(table, "the round with instant " + instant, failure);
    }
    times.measure(RoundStep.REPORT, () -> committer.report(frozen, instant, offsetsPath));
    return result(Optional.of(instant), results, frozen, recovered, times);
  }

  /** Removes what dead rounds left, and tells Fluss of a committed one that it does not know. */
  private Optional<String> recover(LogTable table, LakeTableWriter lake) {
    recovery.removeDeadInstants(table, lake);
    return recovery.reportMissingRound(table, lake);
  }

  /** Requests an instant; of two rounds that do so at once, the later one gives way. */
  private String request(LogTable table, LakeTableWriter lake, Optional<LakeSnapshot> reported) {
    String instant =
        lake.requestInstant(
            reported.isPresent()
                ? OptionalLong.of(reported.get().snapshotId())
                : OptionalLong.empty());
    try {
      recovery.giveWay(table, lake, instant);
    } catch (RuntimeException failure) {
      undo(failure, () -> lake.discardInstant(instant));
      throw failure;
    }
    return instant;
  }

  private FrozenRound freeze(
      LogTable table, LakeTableWriter lake, String instant, RoundLimits limits) {
    FrozenRound frozen = freezer.freeze(table, lake, limits);
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

  /** Lets Fluss keep the offsets, and makes the instant inflight. */
  private String prepare(FrozenRound frozen, LakeTableWriter lake, String instant, RoundId round) {
    String offsetsPath = cluster.snapshotReporter(frozen.table()).prepare(frozen.offsets());
    lake.beginInstant(instant, RoundCommitter.inflightMetadata(round));
    return offsetsPath;
  }

  private List<LakeWriteResult> write(
      FrozenRound frozen, LakeTableWriter lake, String instant, RoundId round, RoundLimits limits) {
    LogTable table = frozen.table();
    List<FrozenRound.BucketRange> pieces =
        frozen.pieces(limits.taskOffsets(), executor.parallelism());
    Set<LakeBucket> targets =
        pieces.stream().map(FrozenRound.BucketRange::target).collect(Collectors.toSet());
    Map<LakeBucket, String> groups = table.hasPrimaryKey() ? lake.fileGroups(targets) : Map.of();
    LogReaderFactory readers = cluster.readerFactory(table);
    LakeBucketWriterFactory writers = lake.bucketWriters();
    List<BucketTask> tasks = new ArrayList<>();
    List<LakeWriteSplit> splits = new ArrayList<>();
    for (FrozenRound.BucketRange range : pieces) {
      LakeWriteSplit split =
          new LakeWriteSplit(
              round.id(),
              instant,
              table.tableId(),
              range.target(),
              groups.get(range.target()),
              splits.size(),
              pieces.size(),
              round.timestamp());
      splits.add(split);
      tasks.add(
          new BucketTask(
              range.range(),
              split,
              table.schema(),
              table.primaryKey(),
              limits.foldBytes(),
              readers,
              writers));
    }
    List<LakeWriteResult> results = executor.run(tasks);
    committer.checkResults(splits, results, table);
    return results;
  }

  private static RoundResult result(
      Optional<String> instant,
      List<LakeWriteResult> results,
      FrozenRound frozen,
      Optional<String> recovered,
      StepTimes times) {
    return new RoundResult(
        instant,
        results.stream().mapToLong(LakeWriteResult::rows).sum(),
        results.stream().mapToLong(LakeWriteResult::deletes).sum(),
        results.stream().mapToLong(LakeWriteResult::bytes).sum(),
        frozen.offsets(),
        frozen.waiting(),
        recovered,
        times.durations());
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
        TieringProperties.isForHudi(table),
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

  private static LakestreamException coded(LogTable table, String what, Exception failure) {
    if (failure instanceof LakestreamException coded) {
      return coded;
    }
    return LakestreamException.of(
        ErrorCode.TIERING_FAILED,
        table.path(),
        what + " failed: " + failure.getMessage() + ".",
        "Run it again; it goes on where the last committed one ended.",
        failure);
  }
}
