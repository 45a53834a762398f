package io.lakestream.spark.fluss;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.types.TablePath;
import java.util.List;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.types.DataTypes;
import org.junit.jupiter.api.Test;

class LogProjectionTest {
  private static final TablePath PATH = new TablePath("db", "t");

  private static Schema.Builder oldColumns() {
    return Schema.newBuilder()
        .column("s", DataTypes.STRING())
        .column("l", DataTypes.BIGINT())
        .column("i", DataTypes.INT());
  }

  private static final Schema OLDEST = oldColumns().build();
  private static final Schema CURRENT = oldColumns().column("b", DataTypes.BOOLEAN()).build();

  @Test
  void columnsThatEveryBatchHasAreAskedForInTheWantedOrder() {
    LogProjection projection = LogProjection.of(PATH, CURRENT, OLDEST, List.of("i", "s"));
    assertThat(projection.pushed()).containsExactly(2, 0);
    assertThat(projection.positions()).containsExactly(0, 1);
    assertThat(projection.types())
        .extracting(Object::toString)
        .containsExactly("INTEGER", "STRING");
  }

  @Test
  void aColumnAddedLaterIsReadWithAllOthers() {
    LogProjection projection = LogProjection.of(PATH, CURRENT, OLDEST, List.of("b", "i"));
    assertThat(projection.pushed()).isNull();
    assertThat(projection.positions()).containsExactly(3, 2);
  }

  @Test
  void withoutColumnsTheNarrowestThatEveryBatchHasIsRead() {
    LogProjection projection = LogProjection.of(PATH, CURRENT, OLDEST, List.of());
    assertThat(projection.pushed()).containsExactly(2);
    assertThat(projection.newRow().numFields()).isZero();
  }
}
