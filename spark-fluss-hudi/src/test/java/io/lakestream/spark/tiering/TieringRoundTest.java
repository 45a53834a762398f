package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeWriteResult;
import io.lakestream.spark.lake.LakeWriteSplit;
import io.lakestream.spark.lake.RoundMetadata;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LakeSnapshot;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.PartitionKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.spark.unsafe.types.UTF8String;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The round's protocol on fakes of both tiers. */
class TieringRoundTest {
  private static final LogBucket FIRST = new LogBucket(null, 0);
  private static final LogBucket SECOND = new LogBucket(null, 1);
  private static final String INSTANT = "20260101000000000";
  private static final String NEXT_INSTANT = "20260101000000001";

  private final List<String> operations = new ArrayList<>();
  private final FakeLakeTables lake = new FakeLakeTables(operations);
  private FakeLogCluster cluster = new FakeLogCluster(TestTables.log(2), operations);
  private UnaryOperator<List<LakeWriteResult>> transport = UnaryOperator.identity();
  private Optional<String> offsetsFile = Optional.empty();

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
    assertThatThrownBy(this::run).hasMessageContaining("connection lost");
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
  void aDeadRoundOfOursIsRolledBack() {
    lake.inflight.put("20250101000000000", RoundCommitter.inflightMetadata("dead"));
    append(FIRST, 1, "a");
    run();
    assertThat(operations.get(0)).isEqualTo("rollback 20250101000000000");
    assertThat(lake.completed.keySet()).containsExactly(INSTANT);
  }

  @Test
  void aPendingInstantOfAnotherWriterIsLeftAlone() {
    lake.inflight.put("20250101000000000", Map.of());
    append(FIRST, 1, "a");
    assertFails(this::run, ErrorCode.TIERING_CONFLICT, "20250101000000000");
    assertThat(lake.inflight).containsKey("20250101000000000");
  }

  @Test
  void anotherRoundsCommitMeanwhileIsAConflict() {
    append(FIRST, 1, "a");
    transport =
        results -> {
          lake.completed.put("20250606000000000", Map.of());
          return results;
        };
    assertFails(this::run, ErrorCode.TIERING_CONFLICT, "20250606000000000", "none");
    assertThat(operations).endsWith("write", "rollback " + INSTANT);
    assertThat(cluster.snapshot).isNull();
  }

  @Test
  void anotherRoundThatIsInflightAtTheSameTimeIsAConflict() {
    append(FIRST, 1, "a");
    transport =
        results -> {
          lake.inflight.put("20250606000000000", Map.of());
          return results;
        };
    assertFails(this::run, ErrorCode.TIERING_CONFLICT, "20250606000000000", "another round");
    assertThat(operations).endsWith("write", "rollback " + INSTANT);
    assertThat(lake.completed).isEmpty();
  }

  @Test
  void aColumnAddedMeanwhileIsAConflict() {
    append(FIRST, 1, "a");
    transport =
        results -> {
          LogTable table = cluster.table;
          cluster.table =
              new LogTable(
                  table.path(),
                  table.tableId(),
                  table.schemaId() + 1,
                  table.schema(),
                  table.primaryKey(),
                  table.partitionColumns(),
                  table.bucketColumns(),
                  table.buckets(),
                  table.properties(),
                  table.customProperties(),
                  table.comment());
          return results;
        };
    assertFails(this::run, ErrorCode.TIERING_CONFLICT, "schema changed");
    assertThat(operations).endsWith("write", "rollback " + INSTANT);
    assertThat(lake.completed).isEmpty();
  }

  @Test
  void otherOffsetsMeanwhileAreAConflict() {
    append(FIRST, 1, "a");
    transport =
        results -> {
          cluster.snapshot = new LakeSnapshot(5, Map.of(FIRST, 1L));
          return results;
        };
    assertFails(this::run, ErrorCode.TIERING_CONFLICT, "snapshotId=5");
    assertThat(operations).endsWith("write", "rollback " + INSTANT);
  }

  @Test
  @Tag("R-32")
  void aRoundThatWasRolledBackByAnotherDoesNotCommit() {
    append(FIRST, 1, "a");
    transport =
        results -> {
          lake.inflight.clear();
          return results;
        };
    assertFails(this::run, ErrorCode.TIERING_CONFLICT, "no longer inflight");
    assertThat(operations).endsWith("write");
    assertThat(lake.completed).isEmpty();
  }

  @Test
  @Tag("R-33")
  void aTableThatWasCreatedAgainMeanwhileIsNotCommitted() {
    append(FIRST, 1, "a");
    transport =
        results -> {
          cluster.table = withId(cluster.table, 8);
          return results;
        };
    assertFails(this::run, ErrorCode.TABLE_REPLACED, "id 7", "id 8");
    assertThat(operations).endsWith("write", "rollback " + INSTANT);
  }

  @Test
  @Tag("R-33")
  void aLakeOfAnotherTableIdIsRefused() {
    append(FIRST, 1, "a");
    run();
    cluster.table = withId(cluster.table, 8);
    assertFails(this::run, ErrorCode.LAKE_MISMATCH, "id 7", "id 8");
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
  void aTableOfFlussOwnServiceIsRefused() {
    LogTable table = cluster.table;
    cluster.table =
        new LogTable(
            table.path(),
            table.tableId(),
            table.schemaId(),
            table.schema(),
            table.primaryKey(),
            table.partitionColumns(),
            table.bucketColumns(),
            table.buckets(),
            Map.of("table.datalake.enabled", "true"),
            Map.of(),
            null);
    assertFails(this::run, ErrorCode.TIERING_REFUSED, "table.datalake.enabled=true");
    assertThat(operations).isEmpty();
  }

  @Test
  void aLakeThatLacksTheReportedSnapshotIsRefused() {
    append(FIRST, 1, "a");
    cluster.snapshot = new LakeSnapshot(5, Map.of(FIRST, 1L));
    assertFails(this::run, ErrorCode.LAKE_MISMATCH, "snapshot 5", "is none");
  }

  private RoundResult run() {
    RoundExecutor executor =
        tasks -> {
          operations.add("write");
          List<LakeWriteResult> results = new ArrayList<>();
          for (BucketTask task : tasks) {
            try {
              results.add(task.run());
            } catch (IOException failure) {
              throw new UncheckedIOException(failure);
            }
          }
          return transport.apply(results);
        };
    TieringRound round = new TieringRound(cluster, lake, executor, path -> offsetsFile);
    return round.run(cluster.table.path(), TieringSettings.at("/lake"));
  }

  private void use(LogTable table) {
    cluster = new FakeLogCluster(table, operations);
  }

  private void append(LogBucket bucket, int id, String name) {
    cluster.append(bucket, ChangeKind.INSERT, id, UTF8String.fromString(name));
  }

  private void partition(long id, String name) {
    cluster.partitions.add(
        new LogPartition(id, name, new PartitionKey(List.of(UTF8String.fromString(name)))));
  }

  private void change(ChangeKind kind, int id, String name) {
    cluster.append(FIRST, kind, id, UTF8String.fromString(name));
  }

  private static LakeWriteResult foreign(LakeWriteResult result) {
    LakeWriteSplit split = result.split();
    return new LakeWriteResult(
        new LakeWriteSplit(
            "other round",
            split.instant(),
            split.tableId(),
            split.bucket(),
            split.fileGroup(),
            split.index(),
            split.count()),
        result.rows(),
        result.deletes(),
        result.files());
  }

  private static LogTable withId(LogTable table, long id) {
    return new LogTable(
        table.path(),
        id,
        table.schemaId(),
        table.schema(),
        table.primaryKey(),
        table.partitionColumns(),
        table.bucketColumns(),
        table.buckets(),
        table.properties(),
        table.customProperties(),
        table.comment());
  }

  private static void assertFails(ThrowingCallable action, ErrorCode code, String... parts) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            LakestreamException.class, failure -> assertThat(failure.code()).isEqualTo(code))
        .hasMessageContainingAll(parts);
  }
}
