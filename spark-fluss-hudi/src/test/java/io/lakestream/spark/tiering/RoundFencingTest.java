package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.log.LakeSnapshot;
import io.lakestream.spark.log.LogTable;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A round beside others: nothing doubled, and no live instant is touched. */
class RoundFencingTest extends TieringRoundTestBase {

  @Test
  void aDeadRoundOfOursIsRolledBack() {
    lake.inflight.put("20250101000000000", RoundCommitter.inflightMetadata(new RoundId("dead", 0)));
    append(FIRST, 1, "a");
    run();
    assertThat(operations.get(0)).isEqualTo("rollback 20250101000000000");
    assertThat(lake.completed.keySet()).containsExactly(INSTANT);
  }

  @Test
  void aLiveRoundOfOursIsLeftAlone() {
    lake.inflight.put("20250101000000000", RoundCommitter.inflightMetadata(new RoundId("live", 0)));
    lake.silences.put("20250101000000000", FakeLakeTables.TIMEOUT);
    append(FIRST, 1, "a");
    assertFails(this::run, ErrorCode.TIERING_CONFLICT, "20250101000000000", "60000 ms ago");
    assertThat(operations).isEmpty();
    lake.silences.put("20250101000000000", FakeLakeTables.TIMEOUT.plusMillis(1));
    run();
    assertThat(operations.get(0)).isEqualTo("rollback 20250101000000000");
  }

  @Test
  void anInstantThatADeadRoundOnlyRequestedIsDiscarded() {
    lake.requested.add("20250101000000000");
    lake.silences.put("20250101000000000", FakeLakeTables.TIMEOUT.plusMillis(1));
    append(FIRST, 1, "a");
    run();
    assertThat(operations.get(0)).isEqualTo("discard 20250101000000000");
    assertThat(lake.completed.keySet()).containsExactly(INSTANT);
  }

  @Test
  void ofTwoRoundsThatRequestAtOnceTheLaterGivesWay() {
    append(FIRST, 1, "a");
    lake.afterRequest =
        instant -> {
          lake.requested.add("20250101000000000");
          lake.silences.put("20250101000000000", Duration.ZERO);
        };
    assertFails(this::run, ErrorCode.TIERING_CONFLICT, "20250101000000000");
    assertThat(operations)
        .containsExactly("latest offsets", "request " + INSTANT, "discard " + INSTANT);
    lake.requested.clear();
    lake.afterRequest =
        instant -> {
          lake.requested.add("20990101000000000");
          lake.silences.put("20990101000000000", Duration.ZERO);
        };
    transport =
        results -> {
          lake.requested.clear();
          return results;
        };
    run();
    assertThat(lake.completed.keySet()).containsExactly(NEXT_INSTANT);
  }

  @Test
  void aRoundThatWasSilentForTooLongDoesNotCommit() {
    append(FIRST, 1, "a");
    transport =
        results -> {
          lake.silences.put(INSTANT, FakeLakeTables.TIMEOUT.plusMillis(1));
          return results;
        };
    assertFails(this::run, ErrorCode.TIERING_CONFLICT, INSTANT, "no sign of life");
    assertThat(operations).endsWith("write", "rollback " + INSTANT);
    assertThat(lake.completed).isEmpty();
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
}
