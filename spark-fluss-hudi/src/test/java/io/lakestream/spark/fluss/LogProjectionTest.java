package io.lakestream.spark.fluss;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.types.TablePath;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.types.DataTypes;
import org.apache.spark.sql.types.StructType;
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

  private static LogProjection project(String... names) {
    StructType all = FlussTables.schema(PATH, CURRENT).toSpark();
    StructType wanted = new StructType();
    for (String name : names) {
      wanted = wanted.add(all.apply(name));
    }
    return LogProjection.of(PATH, CURRENT, OLDEST, wanted);
  }

  @Test
  void columnsThatEveryBatchHasAreAskedForInTheWantedOrder() {
    LogProjection projection = project("i", "s");
    assertThat(projection.pushed()).containsExactly(2, 0);
    assertThat(projection.positions()).containsExactly(0, 1);
    assertThat(projection.fields())
        .extracting(shape -> shape.type().toString())
        .containsExactly("INTEGER", "STRING");
  }

  @Test
  void aColumnAddedLaterIsReadWithAllOthers() {
    LogProjection projection = project("b", "i");
    assertThat(projection.pushed()).isNull();
    assertThat(projection.positions()).containsExactly(3, 2);
  }

  @Test
  void withoutColumnsTheNarrowestThatEveryBatchHasIsRead() {
    LogProjection projection = project();
    assertThat(projection.pushed()).containsExactly(2);
    assertThat(projection.newRow().numFields()).isZero();
  }
}
