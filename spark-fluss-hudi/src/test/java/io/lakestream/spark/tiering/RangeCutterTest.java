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

  @ParameterizedTest
  @CsvSource({"0,1,1,1", "5,6,10,1", "0,10,10,1", "0,11,10,2", "7,107,9,12", "0,3,1,3", "4,4,1,1"})
  void piecesAreTheRange(long start, long stop, long limit, int pieces) {
    List<LogRange> cut = RangeCutter.cut(new LogRange(BUCKET, "p", start, stop), limit);
    assertThat(cut).hasSize(pieces);
    long at = start;
    for (LogRange piece : cut) {
      assertThat(piece.bucket()).isEqualTo(BUCKET);
      assertThat(piece.partitionName()).isEqualTo("p");
      assertThat(piece.start()).isEqualTo(at);
      assertThat(piece.length()).isBetween((stop - start) / pieces, limit);
      at = piece.stop();
    }
    assertThat(at).isEqualTo(stop);
  }

  @Test
  void piecesDifferByOneOffsetAtMost() {
    assertThat(RangeCutter.cut(new LogRange(BUCKET, null, 0, 10), 4))
        .extracting(LogRange::length)
        .containsExactly(4L, 3L, 3L);
  }
}
