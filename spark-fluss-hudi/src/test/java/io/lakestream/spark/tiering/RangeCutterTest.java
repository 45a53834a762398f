package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogRange;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangeCutterTest {
  private static final LogBucket BUCKET = new LogBucket(3L, 1);
  private static final long MOST = 1_000_000;

  @ParameterizedTest
  @CsvSource({"0,1,1,1", "5,6,10,1", "0,10,10,1", "0,11,10,2", "7,107,9,12", "0,3,1,3", "4,4,1,1"})
  void noPieceIsLongerThanTheLimit(long start, long stop, long limit, int pieces) {
    assertCut(new RangeCutter(limit, Long.MAX_VALUE), start, stop, pieces);
  }

  @ParameterizedTest
  @CsvSource({
    // One bucket is divided among the cores, but not below the least length.
    "300000,300000,2,2",
    "300000,300000,8,3",
    "140000,140000,8,1",
    "1000,1000,8,1",
    // A round as a whole is, so that many buckets are a piece each.
    "300000,1200000,2,1",
    "150020,300000,2,1",
    "149980,300000,2,1",
    "900000,1000000,4,4",
    "100000,1000000,4,1",
    // The limit still holds.
    "5000000,5000000,2,5"
  })
  void oneLongBucketKeepsAllCoresBusy(long length, long total, int parallelism, int pieces) {
    assertCut(RangeCutter.of(MOST, total, parallelism), 17, 17 + length, pieces);
  }

  @Test
  void piecesDifferByOneOffsetAtMost() {
    assertThat(new RangeCutter(4, Long.MAX_VALUE).cut(new LogRange(BUCKET, null, 0, 10)))
        .extracting(LogRange::length)
        .containsExactly(4L, 3L, 3L);
  }

  private static void assertCut(RangeCutter cutter, long start, long stop, int pieces) {
    List<LogRange> cut = cutter.cut(new LogRange(BUCKET, "p", start, stop));
    assertThat(cut).hasSize(pieces);
    long at = start;
    for (LogRange piece : cut) {
      assertThat(piece.bucket()).isEqualTo(BUCKET);
      assertThat(piece.partitionName()).isEqualTo("p");
      assertThat(piece.start()).isEqualTo(at);
      assertThat(piece.length()).isLessThanOrEqualTo(cutter.mostOffsets());
      assertThat(piece.length()).isBetween((stop - start) / pieces, (stop - start) / pieces + 1);
      at = piece.stop();
    }
    assertThat(at).isEqualTo(stop);
  }
}
