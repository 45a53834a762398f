package io.lakestream.spark.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.KeySnapshot;
import io.lakestream.spark.log.LakeSnapshot;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.testing.FakeLogCluster;
import io.lakestream.spark.testing.Tables;
import io.lakestream.spark.types.PartitionKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class SnapshotResolverTest {
  private static final SnapshotRequest STRICT = new SnapshotRequest(false, false, true);
  private static final SnapshotRequest LENIENT = new SnapshotRequest(false, false, false);
  private static final Optional<String> LAKE = Optional.of("/lake/db/t");

  private final FakeLogCluster cluster = new FakeLogCluster();
  private final SnapshotResolver resolver = new SnapshotResolver(cluster);

  private void bucket(int bucket, long earliest, long latest) {
    cluster.earliest.put(new LogBucket(null, bucket), earliest);
    cluster.latest.put(new LogBucket(null, bucket), latest);
  }

  private void tiered(long snapshot, Map<LogBucket, Long> offsets) {
    cluster.lakeSnapshot = Optional.of(new LakeSnapshot(snapshot, offsets));
  }

  @Test
  void aLogTableWithoutLakeBeginsWhereItsLogDoes() {
    cluster.table = Tables.log(2);
    bucket(0, 5, 9);
    bucket(1, 0, 0);

    UnionSnapshot snapshot = resolver.resolve(cluster.table, Optional.empty(), STRICT);

    assertThat(snapshot.lakeInstant()).isEmpty();
    assertThat(snapshot.tails())
        .extracting(tail -> tail.start() + ".." + tail.stop())
        .containsExactly("5..9", "0..0");
    assertThat(snapshot.lostRows()).isZero();
  }

  @Test
  void tailsBeginAtTheTieredOffsetAndAtZeroForBucketsThatWereNeverTiered() {
    cluster.table = Tables.log(2);
    bucket(0, 10, 25);
    bucket(1, 0, 4);
    tiered(20260101000000001L, Map.of(new LogBucket(null, 0), 20L));

    UnionSnapshot snapshot = resolver.resolve(cluster.table, LAKE, STRICT);

    assertThat(snapshot.instant()).isEqualTo("20260101000000001");
    assertThat(snapshot.tails())
        .extracting(tail -> tail.start() + ".." + tail.stop())
        .containsExactly("20..25", "0..4");
    assertThat(snapshot.tailLength()).isEqualTo(9);
  }

  @Test
  void theLakeIsAskedBeforeTheLogAndLogEndsBeforeLogStarts() {
    cluster.table = Tables.log(1);
    bucket(0, 0, 1);

    resolver.resolve(cluster.table, LAKE, STRICT);

    assertThat(cluster.questions).containsExactly("lake", "latest", "earliest");
  }

  @Test
  void offsetsOfPartitionsThatAreGoneAreIgnored() {
    cluster.table = Tables.partitionedLog(1);
    PartitionKey key = new PartitionKey(List.of(UTF8String.fromString("b")));
    cluster.partitions.add(new LogPartition(2, "b", key));
    cluster.earliest.put(new LogBucket(2L, 0), 0L);
    cluster.latest.put(new LogBucket(2L, 0), 3L);
    tiered(1, Map.of(new LogBucket(1L, 0), 50L));

    UnionSnapshot snapshot = resolver.resolve(cluster.table, LAKE, STRICT);

    assertThat(snapshot.tails())
        .containsExactly(new BucketTail(new LogBucket(2L, 0), "b", key, 0, 3));
  }

  @Test
  void aPartitionDroppedBetweenTheQuestionsIsLeftOut() {
    cluster.table = Tables.partitionedLog(1);
    PartitionKey key = new PartitionKey(List.of(UTF8String.fromString("b")));
    cluster.partitions.add(new LogPartition(2, "b", key));

    assertThat(resolver.resolve(cluster.table, LAKE, STRICT).tails()).isEmpty();
  }

  @Test
  void aPartitionTieredAndDroppedMeanwhileIsSeenByAskingAgain() {
    cluster.table = Tables.partitionedLog(1);
    tiered(1, Map.of());
    cluster.afterQuestion =
        () -> {
          if (cluster.questions.size() == 1) {
            tiered(2, Map.of(new LogBucket(1L, 0), 9L));
          }
        };

    UnionSnapshot snapshot = resolver.resolve(cluster.table, LAKE, STRICT);

    assertThat(snapshot.instant()).isEqualTo("00000000000000002");
  }

  @Test
  void aGapIsAnErrorThatNamesWantedAndAvailableOffsets() {
    cluster.table = Tables.log(1);
    bucket(0, 15, 25);
    tiered(1, Map.of(new LogBucket(null, 0), 10L));

    assertThatThrownBy(() -> resolver.resolve(cluster.table, LAKE, STRICT))
        .isInstanceOf(LakestreamException.class)
        .hasMessageStartingWith("[LAKESTREAM_LOG_GAP] db.t: bucket 0: ")
        .hasMessageContaining("the lake ends before offset 10")
        .hasMessageContaining("begins at offset 15")
        .hasMessageContaining("failOnDataLoss");
  }

  @Test
  void aGapThatANewerLakeSnapshotClosesIsNoError() {
    cluster.table = Tables.log(1);
    bucket(0, 15, 25);
    tiered(1, Map.of(new LogBucket(null, 0), 10L));
    cluster.afterQuestion = () -> tiered(2, Map.of(new LogBucket(null, 0), 20L));

    UnionSnapshot snapshot = resolver.resolve(cluster.table, LAKE, STRICT);

    assertThat(snapshot.instant()).isEqualTo("00000000000000002");
    assertThat(snapshot.tails()).extracting(BucketTail::start).containsExactly(20L);
  }

  @Test
  void aLogTableMaySkipAGapAndCountsIt() {
    cluster.table = Tables.log(1);
    bucket(0, 15, 25);
    tiered(1, Map.of(new LogBucket(null, 0), 10L));

    UnionSnapshot snapshot = resolver.resolve(cluster.table, LAKE, LENIENT);

    assertThat(snapshot.lostRows()).isEqualTo(5);
    assertThat(snapshot.tails()).extracting(BucketTail::start).containsExactly(15L);
  }

  @Test
  void aPrimaryKeyGapFailsWhateverTheOptionSays() {
    cluster.table = Tables.primaryKey(1);
    bucket(0, 15, 25);
    tiered(1, Map.of(new LogBucket(null, 0), 10L));

    assertThatThrownBy(() -> resolver.resolve(cluster.table, LAKE, LENIENT))
        .hasMessageContaining("The untiered changes were lost");
  }

  @Test
  void aPrimaryKeyTableWithoutLakeNeedsItsWholeLog() {
    cluster.table = Tables.primaryKey(1);
    bucket(0, 3, 5);

    assertThatThrownBy(() -> resolver.resolve(cluster.table, Optional.empty(), STRICT))
        .hasMessageContaining("needs every change from offset 0")
        .hasMessageContaining("begins at offset 3");
  }

  @Test
  void aKeySnapshotReplacesTheLogBeforeItWhereTheLakeHasNothing() {
    cluster.table = Tables.primaryKey(4);
    bucket(0, 30, 50);
    bucket(1, 0, 9);
    bucket(2, 8, 20);
    bucket(3, 60, 60);
    cluster.keySnapshots.put(new LogBucket(null, 0), new KeySnapshot(3, 40));
    cluster.keySnapshots.put(new LogBucket(null, 2), new KeySnapshot(4, 15));
    cluster.keySnapshots.put(new LogBucket(null, 3), new KeySnapshot(5, 60));
    tiered(20260101000000001L, Map.of(new LogBucket(null, 2), 10L));

    UnionSnapshot snapshot = resolver.resolve(cluster.table, LAKE, STRICT);

    assertThat(snapshot.tails())
        .extracting(tail -> tail.start() + ".." + tail.stop() + " " + tail.keySnapshot())
        .containsExactly("40..50 3", "0..9 null", "10..20 null", "60..60 5");
    assertThat(cluster.questions).containsExactly("lake", "key snapshots", "latest", "earliest");
  }

  @Test
  void aLogCutAfterTheKeySnapshotIsAGap() {
    cluster.table = Tables.primaryKey(1);
    bucket(0, 41, 50);
    cluster.keySnapshots.put(new LogBucket(null, 0), new KeySnapshot(3, 40));

    assertThatThrownBy(() -> resolver.resolve(cluster.table, Optional.empty(), LENIENT))
        .hasMessageStartingWith(
            "[LAKESTREAM_LOG_GAP] db.t: bucket 0: the key snapshot ends before offset 40, but the"
                + " log now begins at offset 41.");
  }

  @Test
  void aKeySnapshotAheadOfTheLogIsAnError() {
    cluster.table = Tables.primaryKey(1);
    bucket(0, 0, 39);
    cluster.keySnapshots.put(new LogBucket(null, 0), new KeySnapshot(3, 40));

    assertThatThrownBy(() -> resolver.resolve(cluster.table, Optional.empty(), STRICT))
        .hasMessageStartingWith(
            "[LAKESTREAM_LOG_GAP] db.t: bucket 0: the key snapshot holds offsets up to 40, but the"
                + " log ends at offset 39");
  }

  @Test
  void aPinHoldsItsKeySnapshotOrFails() {
    cluster.table = Tables.primaryKey(1);
    bucket(0, 0, 50);
    LogBucket bucket = new LogBucket(null, 0);
    cluster.keySnapshots.put(bucket, new KeySnapshot(3, 40));
    UnionSnapshot snapshot = resolver.resolve(cluster.table, Optional.empty(), STRICT);
    String pin = SnapshotJson.write(snapshot);

    assertThat(pin).contains("\"version\":2").contains("\"keySnapshot\":3");
    assertThat(resolver.resolvePin(cluster.table, pin, STRICT)).isEqualTo(snapshot);

    cluster.keySnapshots.put(bucket, new KeySnapshot(4, 45));
    assertThatThrownBy(() -> resolver.resolvePin(cluster.table, pin, STRICT))
        .hasMessageStartingWith(
            "[LAKESTREAM_LOG_GAP] db.t: bucket 0: the snapshot pin needs the key snapshot 3");
  }

  @Test
  void aBucketWithNoTailHasNoGap() {
    cluster.table = Tables.primaryKey(1);
    bucket(0, 25, 25);
    tiered(1, Map.of(new LogBucket(null, 0), 25L));

    assertThat(resolver.resolve(cluster.table, LAKE, STRICT).tailLength()).isZero();
  }

  @Test
  void aLakeAheadOfTheLogIsAnError() {
    cluster.table = Tables.log(1);
    bucket(0, 0, 5);
    tiered(1, Map.of(new LogBucket(null, 0), 10L));

    assertThatThrownBy(() -> resolver.resolve(cluster.table, LAKE, STRICT))
        .hasMessageContaining("the lake holds offsets up to 10, but the log ends at offset 5");
  }

  @Test
  void aLakeThatNobodyLocatesIsAnError() {
    cluster.table = Tables.log(1);
    bucket(0, 0, 5);
    tiered(1, Map.of());

    assertThatThrownBy(() -> resolver.resolve(cluster.table, Optional.empty(), STRICT))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.LAKE_NOT_CONFIGURED))
        .hasMessageContaining("hudi.path");
  }

  @Test
  void requiredModeWantsALake() {
    cluster.table = Tables.log(1);
    bucket(0, 0, 5);

    assertThatThrownBy(
            () -> resolver.resolve(cluster.table, LAKE, new SnapshotRequest(false, true, true)))
        .hasMessageContaining("nothing was ever tiered");
  }

  @Test
  void lakeOnlyAsksNothingOfTheLog() {
    cluster.table = Tables.log(1);
    tiered(1, Map.of());

    UnionSnapshot snapshot =
        resolver.resolve(cluster.table, LAKE, new SnapshotRequest(true, false, true));

    assertThat(snapshot.tails()).isEmpty();
    assertThat(cluster.questions).containsExactly("lake");
  }

  @Test
  void aPinGivesTheSameRangesAgain() {
    cluster.table = Tables.log(2);
    bucket(0, 10, 25);
    bucket(1, 0, 0);
    tiered(20260101000000001L, Map.of(new LogBucket(null, 0), 20L));
    UnionSnapshot first = resolver.resolve(cluster.table, LAKE, STRICT);
    bucket(0, 10, 99);
    tiered(20260101000000002L, Map.of(new LogBucket(null, 0), 90L));

    UnionSnapshot again = resolver.resolvePin(cluster.table, SnapshotJson.write(first), STRICT);

    assertThat(again.instant()).isEqualTo(first.instant());
    assertThat(again.lakePath()).isEqualTo(first.lakePath());
    assertThat(again.tails())
        .containsExactlyElementsOf(first.tails().stream().filter(tail -> !tail.isEmpty()).toList());
  }

  @Test
  void theLakeAloneOfAPinHasNoTails() {
    cluster.table = Tables.log(1);
    bucket(0, 0, 25);
    tiered(1, Map.of(new LogBucket(null, 0), 20L));
    String pin = SnapshotJson.write(resolver.resolve(cluster.table, LAKE, STRICT));
    bucket(0, 25, 25);

    UnionSnapshot lake =
        resolver.resolvePin(cluster.table, pin, new SnapshotRequest(true, false, true));

    assertThat(lake.instant()).isEqualTo("00000000000000001");
    assertThat(lake.tails()).isEmpty();
  }

  @Test
  void aPinWithoutLakeIsNotEnoughForRequiredMode() {
    cluster.table = Tables.log(1);
    bucket(0, 0, 5);
    String pin = SnapshotJson.write(resolver.resolve(cluster.table, LAKE, STRICT));

    assertThatThrownBy(
            () -> resolver.resolvePin(cluster.table, pin, new SnapshotRequest(false, true, true)))
        .hasMessageContaining("the snapshot pin has no lake");
  }

  @Test
  void aPinWhoseOffsetsExpiredFails() {
    cluster.table = Tables.log(1);
    bucket(0, 0, 5);
    String pin = SnapshotJson.write(resolver.resolve(cluster.table, LAKE, STRICT));
    bucket(0, 3, 5);

    assertThatThrownBy(() -> resolver.resolvePin(cluster.table, pin, STRICT))
        .hasMessageContaining("the snapshot pin needs offsets from 0")
        .hasMessageContaining("begins at offset 3");
  }

  @Test
  void aPinOfATableThatWasReplacedFails() {
    cluster.table = Tables.log(1);
    bucket(0, 0, 5);
    String pin =
        SnapshotJson.write(resolver.resolve(cluster.table, LAKE, STRICT))
            .replace("\"tableId\":7", "\"tableId\":6");

    assertThatThrownBy(() -> resolver.resolvePin(cluster.table, pin, STRICT))
        .hasMessageStartingWith("[LAKESTREAM_TABLE_REPLACED] db.t: ")
        .hasMessageContaining("6");
  }

  @Test
  void unusablePinsSayWhatIsWrongWithThem() {
    cluster.table = Tables.log(1);

    assertThatThrownBy(() -> resolver.resolvePin(cluster.table, "{", STRICT))
        .hasMessageStartingWith("[LAKESTREAM_INVALID_PIN] db.t: ")
        .hasMessageContaining("it is not JSON");
    assertThatThrownBy(() -> resolver.resolvePin(cluster.table, "{\"version\":3}", STRICT))
        .hasMessageContaining("version 3, known are 1 and 2");
    assertThatThrownBy(() -> resolver.resolvePin(cluster.table, "{\"version\":1}", STRICT))
        .hasMessageContaining("it lacks the field 'table'");
    assertThatThrownBy(
            () ->
                resolver.resolvePin(
                    cluster.table,
                    "{\"version\":1,\"table\":\"db.other\",\"tableId\":7,\"schemaId\":1,"
                        + "\"tails\":[]}",
                    STRICT))
        .hasMessageContaining("is of the table db.other");
  }
}
