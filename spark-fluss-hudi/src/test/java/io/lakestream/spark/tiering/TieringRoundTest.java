package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.lake.LakeWriteSplit;
import io.lakestream.spark.lake.RoundMetadata;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LakeSnapshot;
import io.lakestream.spark.log.LogBucket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The round's protocol on fakes of both tiers. */
class TieringRoundTest extends TieringRoundTestBase {

  @Test
  void stepsComeInOrder() {
    append(FIRST, 1, "a");
    RoundResult result = run();
    assertThat(operations)
        .containsExactly(
            "latest offsets",
            "request " + INSTANT,
            "latest offsets",
            "prepare",
            "begin " + INSTANT,
            "write",
            "commit " + INSTANT,
            "report " + INSTANT);
    assertThat(result.instant()).contains(INSTANT);
    assertThat(result.rows()).isEqualTo(1);
    assertThat(result.offsets()).isEqualTo(Map.of(FIRST, 1L));
    assertThat(lake.changes.get(INSTANT)).containsExactly("b0 +1a@0");
  }

  @Test
  void theInstantCarriesUserRoundAndOffsets() {
    append(FIRST, 1, "a");
    append(SECOND, 2, "b");
    run();
    Map<String, String> metadata = lake.completed.get(INSTANT);
    assertThat(metadata)
        .containsEntry(RoundMetadata.COMMIT_USER, "__fluss_lake_tiering")
        .containsEntry(
            RoundMetadata.OFFSETS,
            "{\"version\":1,\"table_id\":7,\"buckets\":"
                + "[{\"bucket\":0,\"offset\":1},{\"bucket\":1,\"offset\":1}]}")
        .containsKey(RoundMetadata.ROUND);
    assertThat(metadata.get(RoundMetadata.FLUSS_OFFSETS)).startsWith("/offsets/");
  }

  @Test
  void nothingMovedMakesNoInstant() {
    append(FIRST, 1, "a");
    run();
    operations.clear();
    RoundResult result = run();
    assertThat(result.instant()).isEmpty();
    assertThat(result.offsets()).isEqualTo(Map.of(FIRST, 1L));
    assertThat(operations).containsExactly("latest offsets");
    assertThat(lake.requested).isEmpty();
  }

  @Test
  @Tag("R-09")
  void offsetsWithoutRowsMakeOneEmptyInstant() {
    cluster.skipOffset(FIRST);
    cluster.skipOffset(FIRST);
    RoundResult result = run();
    assertThat(result.instant()).contains(INSTANT);
    assertThat(result.rows()).isZero();
    assertThat(cluster.snapshot.tieredOffsets()).isEqualTo(Map.of(FIRST, 2L));
    assertThat(lake.changes.get(INSTANT)).isEmpty();
    assertThat(run().instant()).isEmpty();
  }

  @Test
  void aRoundReadsOnlyWhatIsNew() {
    append(FIRST, 1, "a");
    run();
    append(FIRST, 2, "b");
    run();
    assertThat(lake.changes.get(NEXT_INSTANT)).containsExactly("b0 +2b@1");
  }

  @Test
  void changesOfAKeyAreFoldedByOffset() {
    use(TestTables.primaryKey(1));
    change(ChangeKind.INSERT, 1, "a");
    change(ChangeKind.UPDATE_BEFORE, 1, "a");
    change(ChangeKind.UPDATE_AFTER, 1, "b");
    change(ChangeKind.INSERT, 2, "x");
    change(ChangeKind.DELETE, 2, "x");
    change(ChangeKind.INSERT, 3, "p");
    change(ChangeKind.DELETE, 3, "p");
    change(ChangeKind.INSERT, 3, "q");
    RoundResult result = run();
    assertThat(lake.changes.get(INSTANT)).containsExactly("b0 +1b@2", "b0 -2", "b0 +3q@7");
    assertThat(result.rows()).isEqualTo(2);
    assertThat(result.deletes()).isEqualTo(1);
  }

  @Test
  @Tag("R-32")
  void aCommittedRoundThatWasNotReportedIsReportedFirstAndNotWrittenAgain() {
    append(FIRST, 1, "a");
    cluster.reportFailure = new IllegalStateException("connection lost");
    assertFails(this::run, ErrorCode.TIERING_NOT_REPORTED, INSTANT, "connection lost");
    assertThat(cluster.snapshot).isNull();
    cluster.reportFailure = null;
    operations.clear();
    append(FIRST, 2, "b");
    RoundResult result = run();
    assertThat(operations)
        .startsWith("prepare", "report " + INSTANT, "latest offsets", "request " + NEXT_INSTANT);
    assertThat(result.recoveredInstant()).contains(INSTANT);
    assertThat(lake.changes.get(NEXT_INSTANT)).containsExactly("b0 +2b@1");
  }

  @Test
  void aRoundOfFlussItselfIsReportedFromItsOffsetsFile() {
    lake.completed.put(
        INSTANT,
        Map.of(
            RoundMetadata.COMMIT_USER,
            RoundMetadata.TIERING_USER,
            RoundMetadata.FLUSS_OFFSETS,
            "/fluss/1.offsets"));
    offsetsFile = Optional.of("{\"version\":1,\"table_id\":7,\"bucket_offsets\":[2,-1]}");
    append(FIRST, 1, "a");
    append(FIRST, 2, "b");
    RoundResult result = run();
    assertThat(result.recoveredInstant()).contains(INSTANT);
    assertThat(result.instant()).isEmpty();
    assertThat(cluster.snapshot)
        .isEqualTo(new LakeSnapshot(Long.parseLong(INSTANT), Map.of(FIRST, 2L)));
  }

  @Test
  void aRoundWhoseOffsetsAreGoneStopsEverything() {
    lake.completed.put(
        INSTANT,
        Map.of(
            RoundMetadata.COMMIT_USER,
            RoundMetadata.TIERING_USER,
            RoundMetadata.FLUSS_OFFSETS,
            "/fluss/1.offsets"));
    append(FIRST, 1, "a");
    assertFails(this::run, ErrorCode.TIERING_FAILED, INSTANT, "/fluss/1.offsets");
    assertThat(operations).isEmpty();
  }

  @Test
  void whatOneRoundDoesNotTakeWaitsForTheNext() {
    settings =
        new TieringSettings(
            "/lake", List.of(), new RoundLimits(3, 2, RoundLimits.DEFAULT.foldBytes()));
    for (int i = 0; i < 5; i++) {
      append(FIRST, i, "r");
    }
    append(SECOND, 9, "s");
    RoundResult first = run();
    assertThat(first.waiting()).isEqualTo(2);
    assertThat(first.offsets()).isEqualTo(Map.of(FIRST, 3L, SECOND, 1L));
    assertThat(lake.changes.get(INSTANT))
        .containsExactly("b0 +0r@0", "b0 +1r@1", "b0 +2r@2", "b1 +9s@0");
    RoundResult second = run();
    assertThat(second.waiting()).isZero();
    assertThat(second.offsets()).isEqualTo(Map.of(FIRST, 5L, SECOND, 1L));
    assertThat(lake.changes.get(NEXT_INSTANT)).containsExactly("b0 +3r@3", "b0 +4r@4");
  }

  @Test
  void withoutLimitsARoundTakesEverything() {
    settings =
        new TieringSettings(
            "/lake", List.of(), new RoundLimits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE));
    append(FIRST, 1, "a");
    run();
    append(FIRST, 2, "b");
    assertThat(run().offsets()).isEqualTo(Map.of(FIRST, 2L));
    assertThat(lake.changes.get(NEXT_INSTANT)).containsExactly("b0 +2b@1");
  }

  @Test
  void everySplitKnowsItsRound() {
    settings =
        new TieringSettings(
            "/lake", List.of(), new RoundLimits(9, 2, RoundLimits.DEFAULT.foldBytes()));
    for (int i = 0; i < 3; i++) {
      append(FIRST, i, "r");
    }
    List<LakeWriteSplit> splits = new ArrayList<>();
    transport =
        results -> {
          results.forEach(result -> splits.add(result.split()));
          return results;
        };
    run();
    assertThat(splits).extracting(LakeWriteSplit::index).containsExactly(0, 1);
    assertThat(splits)
        .allSatisfy(
            split -> {
              assertThat(split.count()).isEqualTo(2);
              assertThat(split.instant()).isEqualTo(INSTANT);
              assertThat(split.tableId()).isEqualTo(7);
              assertThat(split.round())
                  .isEqualTo(lake.completed.get(INSTANT).get(RoundMetadata.ROUND));
              assertThat(split.roundTimestamp()).isEqualTo(splits.get(0).roundTimestamp());
            });
  }

  @Test
  void theResultTellsTheStepsThatTheRoundCameTo() {
    append(FIRST, 1, "a");
    assertThat(run().durations()).containsOnlyKeys(RoundStep.values());
    assertThat(run().durations()).containsOnlyKeys(RoundStep.RECOVER, RoundStep.FREEZE);
  }

  @Test
  void resultsOfOtherRoundsAreRefused() {
    append(FIRST, 1, "a");
    transport = results -> List.of(foreign(results.get(0)));
    assertFails(this::run, ErrorCode.TIERING_FAILED, "other round");
    assertThat(operations).endsWith("write", "rollback " + INSTANT);
  }

  @Test
  void repeatedAndMissingResultsAreRefused() {
    append(FIRST, 1, "a");
    append(SECOND, 2, "b");
    transport = results -> List.of(results.get(0), results.get(0));
    assertFails(this::run, ErrorCode.TIERING_FAILED, "twice");
    transport = results -> List.of(results.get(1));
    assertFails(this::run, ErrorCode.TIERING_FAILED, "only 1 of 2 splits");
    assertThat(lake.completed).isEmpty();
  }

  @Test
  void aFailedWriteIsRolledBackAndCoded() {
    append(FIRST, 1, "a");
    transport =
        results -> {
          throw new IllegalStateException("disk full");
        };
    assertFails(this::run, ErrorCode.TIERING_FAILED, INSTANT, "disk full");
    assertThat(operations).endsWith("write", "rollback " + INSTANT);
  }

  @Test
  void anExceptionAfterTheInstantWasCompletedDoesNotUndoIt() {
    append(FIRST, 1, "a");
    lake.afterCommit =
        instant -> {
          throw new IllegalStateException("clean failed");
        };
    assertThat(run().instant()).contains(INSTANT);
    assertThat(operations).endsWith("commit " + INSTANT, "report " + INSTANT);
  }

  @Test
  void anExceptionBeforeTheInstantWasCompletedRollsBack() {
    append(FIRST, 1, "a");
    lake.beforeCommit =
        instant -> {
          throw new IllegalStateException("no lock");
        };
    assertFails(this::run, ErrorCode.TIERING_FAILED, "no lock");
    assertThat(operations).endsWith("commit " + INSTANT, "rollback " + INSTANT);
    assertThat(cluster.snapshot).isNull();
  }

  @Test
  void offsetsThatTheLogHasLostAreAGap() {
    use(TestTables.primaryKey(1));
    change(ChangeKind.INSERT, 1, "a");
    cluster.earliest.put(FIRST, 1L);
    cluster.skipOffset(FIRST);
    assertFails(this::run, ErrorCode.LOG_GAP, "bucket 0", "ends at offset 0", "begins at 1");
    assertThat(lake.requested).isEmpty();
  }

  @Test
  void aLogTableThatWasNeverTieredBeginsAtItsLogStart() {
    append(FIRST, 1, "a");
    append(FIRST, 2, "b");
    cluster.earliest.put(FIRST, 1L);
    assertThat(run().rows()).isEqualTo(1);
    assertThat(lake.changes.get(INSTANT)).containsExactly("b0 +2b@1");
  }

  @Test
  void anExpiredBucketDoesNotLookUntieredAfterTheFirstRound() {
    append(FIRST, 1, "a");
    cluster.skipOffset(SECOND);
    cluster.earliest.put(SECOND, 1L);
    assertThat(run().offsets()).isEqualTo(Map.of(FIRST, 1L, SECOND, 1L));
    append(SECOND, 2, "b");
    run();
    assertThat(lake.changes.get(NEXT_INSTANT)).containsExactly("b1 +2b@1");
  }

  @Test
  void aDroppedPartitionKeepsItsOffsetsAndStopsNothing() {
    use(
        TestTables.table(
            "parts", cluster.table.schema(), List.of(), List.of("name"), List.of("id"), 1));
    LogBucket kept = new LogBucket(2L, 0);
    LogBucket dropped = new LogBucket(1L, 0);
    partition(1, "p1");
    partition(2, "p2");
    append(dropped, 1, "p1");
    append(kept, 2, "p2");
    run();
    cluster.partitions.remove(0);
    append(kept, 3, "p2");
    assertThat(run().offsets()).isEqualTo(Map.of(dropped, 1L, kept, 2L));
    assertThat(lake.changes.get(NEXT_INSTANT)).containsExactly("b0 +3p2@1");
  }

  @Test
  void aLakeThatLacksTheReportedSnapshotIsRefused() {
    append(FIRST, 1, "a");
    cluster.snapshot = new LakeSnapshot(5, Map.of(FIRST, 1L));
    assertFails(this::run, ErrorCode.LAKE_MISMATCH, "snapshot 5", "is none");
  }

  @Test
  void offsetsThatFlussAndTheLakeDoNotShareAreRefused() {
    append(FIRST, 1, "a");
    run();
    append(FIRST, 2, "b");
    for (long other : new long[] {0, 2}) {
      cluster.snapshot = new LakeSnapshot(Long.parseLong(INSTANT), Map.of(FIRST, other));
      assertFails(
          this::run,
          ErrorCode.LAKE_MISMATCH,
          "as of the instant " + INSTANT + " Fluss reports the offset " + other + " for bucket 0",
          "but the lake at /lake holds 1.");
    }
    assertThat(lake.completed).containsOnlyKeys(INSTANT);
    assertThat(lake.requested).isEmpty();
  }

  @Test
  void offsetsThatCannotBeReadAreRefused() {
    lake.completed.put(INSTANT, Map.of(RoundMetadata.OFFSETS, "{"));
    assertFails(
        this::run, ErrorCode.LAKE_UNREADABLE, INSTANT + " at /lake has the unreadable offsets {");
    lake.completed.put(INSTANT, Map.of(RoundMetadata.FLUSS_OFFSETS, "/offsets/1"));
    offsetsFile = Optional.of("not JSON");
    assertFails(
        this::run,
        ErrorCode.TIERING_FAILED,
        "its offsets file /offsets/1 cannot be read: not the JSON of offsets: not JSON");
    assertThat(cluster.snapshot).isNull();
  }

  @Test
  void aReportThatComesTooLateDoesNotTakeTheNewerOneBack() {
    append(FIRST, 1, "a");
    LakeSnapshot newer = new LakeSnapshot(Long.parseLong(NEXT_INSTANT), Map.of(FIRST, 1L));
    lake.afterCommit = instant -> cluster.snapshot = newer;
    assertThat(run().instant()).contains(INSTANT);
    assertThat(cluster.snapshot).isEqualTo(newer);
    assertThat(operations).doesNotContain("report " + INSTANT);
  }

  @Test
  void aCommitOfWhichTheLakeDoesNotTellIsNeitherCalledFailedNorDone() {
    append(FIRST, 1, "a");
    lake.afterCommit =
        instant -> {
          lake.unreadable = new IllegalStateException("no route to host");
          throw new IllegalStateException("time-out");
        };
    assertFails(
        this::run,
        ErrorCode.TIERING_OUTCOME_UNKNOWN,
        INSTANT + " failed (time-out)",
        "no route to host");
    lake.unreadable = null;
    assertThat(run().recoveredInstant()).contains(INSTANT);
    assertThat(cluster.snapshot.tieredOffsets()).isEqualTo(Map.of(FIRST, 1L));
  }
}
