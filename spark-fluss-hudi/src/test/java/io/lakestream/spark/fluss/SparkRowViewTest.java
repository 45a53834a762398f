package io.lakestream.spark.fluss;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.junit.jupiter.api.Test;

class SparkRowViewTest {

  /** An unsafe row has no bound: beyond its last field it shows whatever bytes are there. */
  @Test
  void aColumnAddedSinceTheRowWasPlannedIsNull() {
    UnsafeRow row = new UnsafeRow(1);
    row.pointTo(new byte[32], 16);
    row.setInt(0, 7);
    SparkRowView view = new SparkRowView(new LogicalType[] {LogicalType.of(Kind.INTEGER)});
    view.pointTo(row);

    assertThat(view.isNullAt(0)).isFalse();
    assertThat(view.getInt(0)).isEqualTo(7);
    assertThat(view.isNullAt(1)).isTrue();
  }
}
