package io.lakestream.spark.read.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.lake.LakeFile;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.read.plan.UnionSplit.LakeSplit;
import io.lakestream.spark.read.plan.UnionSplit.LogSplit;
import io.lakestream.spark.read.plan.UnionSplit.OverlaySplit;
import io.lakestream.spark.snapshot.BucketTail;
import io.lakestream.spark.snapshot.UnionSnapshot;
import io.lakestream.spark.testing.Tables;
import io.lakestream.spark.types.PartitionKey;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class UnionPlannerTest {
  private static final PlanSettings SETTINGS = new PlanSettings(1000, 1, 10, 100, 1.0);
  private final UnionPlanner planner = new UnionPlanner(SETTINGS);

  private static BucketTail tail(int bucket, long start, long stop) {
    return new BucketTail(new LogBucket(null, bucket), null, PartitionKey.NONE, start, stop);
  }

  private static UnionSnapshot snapshot(BucketTail... tails) {
    return new UnionSnapshot(Tables.PATH, 7, 1, "/lake", "001", List.of(tails), 0);
  }

  private static LakeSlice slice(int bucket, String id, long base, long... logs) {
    return new LakeSlice(
        PartitionKey.NONE,
        "",
        id,
        bucket,
        base == 0 ? null : new LakeFile("/lake/" + id, base),
        LongStream.of(logs).mapToObj(n -> new LakeFile("/lake/." + id + ".log", n)).toList());
  }

  @Test
  void aLogTailIsCutWithoutHolesOrOverlaps() {
    List<UnionSplit> splits =
        planner.planLogTable(snapshot(tail(0, 5, 240), tail(1, 7, 7)), List.of(), key -> true);

    assertThat(splits)
        .extracting(split -> ((LogSplit) split).range())
        .extracting(range -> range.start() + ".." + range.stop())
        .containsExactly("5..105", "105..205", "205..240");
  }

  @Test
  void aBoundBeyondEveryOffsetCutsNothing() {
    UnionPlanner whole = new UnionPlanner(new PlanSettings(1000, 1, 10, Long.MAX_VALUE, 1.0));

    assertThat(whole.planLogTable(snapshot(tail(0, 100, 900)), List.of(), key -> true))
        .containsExactly(new LogSplit(new LogRange(new LogBucket(null, 0), null, 100, 900)));
  }

  @Test
  void everyByteOfEveryFileIsInExactlyOnePart() {
    UnionPlanner wide = new UnionPlanner(new PlanSettings(100, 4, 10, 100, 0.5));
    List<UnionSplit> splits =
        wide.planLogTable(
            snapshot(),
            List.of(slice(0, "a", 1000), slice(1, "b", 30), slice(0, "c", 7)),
            k -> true);

    for (String file : List.of("a", "b", "c")) {
      List<UnionSplit.FilePart> parts =
          splits.stream()
              .flatMap(split -> ((LakeSplit) split).parts().stream())
              .filter(part -> part.file().path().equals("/lake/" + file))
              .sorted((x, y) -> Long.compare(x.start(), y.start()))
              .toList();
      long next = 0;
      for (UnionSplit.FilePart part : parts) {
        assertThat(part.start()).isEqualTo(next);
        next += part.length();
      }
      assertThat(next).isEqualTo(parts.get(0).file().length());
    }
    assertThat(splits.size()).isGreaterThanOrEqualTo(4);
  }

  @Test
  void smallFilesArePackedTogether() {
    UnionPlanner sequential = new UnionPlanner(new PlanSettings(1000, 1, 10, 100, 1.0));

    List<UnionSplit> splits =
        sequential.planLogTable(
            snapshot(), List.of(slice(0, "a", 40), slice(1, "b", 30), slice(2, "c", 7)), k -> true);

    assertThat(splits).hasSize(1);
  }

  @Test
  void aBucketWithATailIsOneOverlayOfAllItsSlices() {
    LakeSlice first = slice(0, "a", 40);
    LakeSlice second = slice(0, "b", 0, 5);

    List<UnionSplit> splits =
        planner.planPrimaryKeyTable(snapshot(tail(0, 10, 12)), List.of(first, second), key -> true);

    assertThat(splits)
        .containsExactly(
            new OverlaySplit(
                List.of(first, second), new LogRange(new LogBucket(null, 0), null, 10, 12)));
  }

  @Test
  void aTailWithoutLakeFilesIsStillRead() {
    List<UnionSplit> splits =
        planner.planPrimaryKeyTable(snapshot(tail(1, 0, 3)), List.of(), key -> true);

    assertThat(splits)
        .containsExactly(
            new OverlaySplit(List.of(), new LogRange(new LogBucket(null, 1), null, 0, 3)));
  }

  @Test
  void bucketsWithoutTailAreReadSliceBySlice() {
    LakeSlice merged = slice(0, "a", 40, 5);
    LakeSlice plain = slice(1, "b", 40);

    List<UnionSplit> splits =
        planner.planPrimaryKeyTable(snapshot(tail(0, 9, 9)), List.of(merged, plain), key -> true);

    assertThat(splits)
        .containsExactly(
            new OverlaySplit(List.of(merged), null),
            new LakeSplit(List.of(new UnionSplit.FilePart(plain.baseFile(), 0, 40))));
  }

  @Test
  void aKeySnapshotWithoutAnyChangeAfterItIsRead() {
    BucketTail tail = new BucketTail(new LogBucket(null, 1), null, PartitionKey.NONE, 9, 9, 4L);

    assertThat(planner.planPrimaryKeyTable(snapshot(tail), List.of(), key -> true))
        .containsExactly(new OverlaySplit(List.of(), tail.range(), 4L));
    assertThatThrownBy(
            () ->
                planner.planPrimaryKeyTable(
                    snapshot(tail), List.of(slice(1, "a", 40)), key -> true))
        .hasMessageStartingWith("[LAKESTREAM_LAKE_MISMATCH] db.t: the lake has rows of bucket 1");
  }

  @Test
  void aSliceOfUnknownBucketCannotBeMergedWithATail() {
    LakeSlice clustered = slice(LakeSlice.UNKNOWN_BUCKET, "x", 40);

    assertThatThrownBy(
            () ->
                planner.planPrimaryKeyTable(
                    snapshot(tail(0, 0, 1)), List.of(clustered), key -> true))
        .hasMessageStartingWith("[LAKESTREAM_LAKE_UNSUPPORTED] db.t: ")
        .hasMessageContaining("'x'");
    assertThat(planner.planPrimaryKeyTable(snapshot(), List.of(clustered), key -> true)).hasSize(1);
  }

  @Test
  void tailsOfPrunedPartitionsAreLeftOut() {
    PartitionKey kept = new PartitionKey(List.of(1));
    BucketTail wanted = new BucketTail(new LogBucket(1L, 0), "1", kept, 0, 2);
    BucketTail other =
        new BucketTail(new LogBucket(2L, 0), "2", new PartitionKey(List.of(2)), 0, 2);

    assertThat(planner.planLogTable(snapshot(wanted, other), List.of(), kept::equals))
        .containsExactly(new LogSplit(wanted.range()));
    assertThat(planner.planPrimaryKeyTable(snapshot(wanted, other), List.of(), kept::equals))
        .containsExactly(new OverlaySplit(List.of(), wanted.range()));
  }
}
