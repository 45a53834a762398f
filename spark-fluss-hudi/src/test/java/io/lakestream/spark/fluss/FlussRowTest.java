package io.lakestream.spark.fluss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.SparkTypes;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.Decimal;
import org.apache.fluss.row.GenericArray;
import org.apache.fluss.row.GenericMap;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.TimestampLtz;
import org.apache.fluss.row.TimestampNtz;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class FlussRowTest {
  private static final LogicalType INT = LogicalType.of(Kind.INTEGER);
  private static final LogicalType STRING = LogicalType.of(Kind.STRING);

  private static List<ValueShape> whole(LogicalType... types) {
    return Arrays.stream(types).map(type -> ValueShape.of(type, SparkTypes.toSpark(type))).toList();
  }

  private static FlussRow view(LogicalType type, Object value) {
    FlussRow row = new FlussRow(whole(type), new int[] {0});
    row.pointTo(GenericRow.of(value));
    return row;
  }

  @Test
  void showsChosenFieldsOfOneRowAfterAnother() {
    FlussRow row = new FlussRow(whole(STRING, INT), new int[] {2, 0});
    row.pointTo(GenericRow.of(1, null, BinaryString.fromString("a")));
    assertThat(row.numFields()).isEqualTo(2);
    assertThat(row.getUTF8String(0)).isEqualTo(UTF8String.fromString("a"));
    assertThat(row.getInt(1)).isEqualTo(1);
    InternalRow kept = row.copy();

    row.pointTo(GenericRow.of(2, null, null));
    assertThat(row.isNullAt(0)).isTrue();
    assertThat(row.get(0, null)).isNull();
    assertThat(row.getInt(1)).isEqualTo(2);
    assertThat(kept.getUTF8String(0)).isEqualTo(UTF8String.fromString("a"));
    assertThat(kept.getInt(1)).isEqualTo(1);
  }

  @Test
  void timestampsAreMicrosecondsFloored() {
    LogicalType nanos = LogicalType.of(Kind.TIMESTAMP, 9);
    assertThat(view(nanos, TimestampNtz.fromMillis(-1, 999_999)).getLong(0)).isEqualTo(-1);
    assertThat(view(nanos, TimestampNtz.fromMillis(-1, 0)).getLong(0)).isEqualTo(-1000);
    assertThat(view(nanos, TimestampNtz.fromMillis(1, 1_999)).getLong(0)).isEqualTo(1001);
    LogicalType zoned = LogicalType.of(Kind.TIMESTAMP_LTZ, 3);
    assertThat(view(zoned, TimestampLtz.fromEpochMillis(-13)).getLong(0)).isEqualTo(-13_000);
  }

  @Test
  void timestampBeyondSparksRangeIsAnErrorNotAnotherTime() {
    FlussRow row =
        view(LogicalType.of(Kind.TIMESTAMP, 3), TimestampNtz.fromMillis(Long.MAX_VALUE / 10));
    assertThatThrownBy(() -> row.getLong(0)).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void decimalsKeepPrecisionAndScale() {
    FlussRow small =
        view(LogicalType.decimal(7, 2), Decimal.fromBigDecimal(new BigDecimal("-0.10"), 7, 2));
    assertThat(small.getDecimal(0, 7, 2).toJavaBigDecimal()).isEqualTo(new BigDecimal("-0.10"));
    BigDecimal large = new BigDecimal("99999999999999999999.999999999999999999");
    FlussRow wide = view(LogicalType.decimal(38, 18), Decimal.fromBigDecimal(large, 38, 18));
    assertThat(wide.getDecimal(0, 38, 18).toJavaBigDecimal()).isEqualTo(large);
    assertThat(wide.getDecimal(0, 38, 18).precision()).isEqualTo(38);
  }

  @Test
  void nestedValuesAreViewsAndCopiesAreDeep() {
    LogicalType.Row inner =
        new LogicalType.Row(
            List.of(new LogicalType.Field("n", INT), new LogicalType.Field("s", STRING)), true);
    LogicalType type = new LogicalType.Map(STRING, new LogicalType.Array(inner, true), true);
    GenericArray array =
        new GenericArray(new Object[] {GenericRow.of(7, BinaryString.fromString("x")), null});
    FlussRow row = view(type, new GenericMap(Map.of(BinaryString.fromString("k"), array)));

    for (InternalRow each : List.of(row, row.copy())) {
      assertThat(each.getMap(0).numElements()).isEqualTo(1);
      assertThat(each.getMap(0).keyArray().getUTF8String(0)).isEqualTo(UTF8String.fromString("k"));
      ArrayData values = each.getMap(0).valueArray().getArray(0);
      assertThat(values.numElements()).isEqualTo(2);
      assertThat(values.isNullAt(1)).isTrue();
      assertThat(values.getStruct(0, 2).getInt(0)).isEqualTo(7);
      assertThat(values.getStruct(0, 2).getUTF8String(1)).isEqualTo(UTF8String.fromString("x"));
    }
    assertThat(row.getMap(0)).isInstanceOf(FlussMap.class);
    assertThat(row.copy().getMap(0)).isNotInstanceOf(FlussMap.class);
  }

  @Test
  void primitiveArraysAreRead() {
    FlussRow row =
        view(
            new LogicalType.Array(LogicalType.of(Kind.TIMESTAMP, 6), true),
            new GenericArray(new Object[] {TimestampNtz.fromMicros(-1), null}));
    assertThat(row.getArray(0).getLong(0)).isEqualTo(-1);
    assertThat(row.getArray(0).array()).containsExactly(-1L, null);
  }

  @Test
  void structsAreCutToTheWantedFieldsAtEveryDepth() {
    LogicalType.Row leaf =
        new LogicalType.Row(
            List.of(new LogicalType.Field("city", STRING), new LogicalType.Field("zip", INT)),
            true);
    LogicalType.Row user =
        new LogicalType.Row(
            List.of(new LogicalType.Field("nm", STRING), new LogicalType.Field("ad", leaf)), true);
    StructType onlyZip = new StructType().add("zip", DataTypes.IntegerType);
    GenericRow address = GenericRow.of(BinaryString.fromString("Oslo"), 150);
    GenericRow written = GenericRow.of(BinaryString.fromString("n"), address);

    FlussRow struct =
        new FlussRow(
            List.of(ValueShape.of(user, new StructType().add("ad", onlyZip))), new int[] {0});
    struct.pointTo(GenericRow.of(written));
    assertThat(struct.getStruct(0, 1).numFields()).isEqualTo(1);
    assertThat(struct.getStruct(0, 1).getStruct(0, 1).getInt(0)).isEqualTo(150);

    FlussRow array =
        new FlussRow(
            List.of(
                ValueShape.of(
                    new LogicalType.Array(leaf, true), DataTypes.createArrayType(onlyZip))),
            new int[] {0});
    array.pointTo(GenericRow.of(new GenericArray(new Object[] {address, null})));
    assertThat(array.getArray(0).getStruct(0, 1).getInt(0)).isEqualTo(150);
    assertThat(array.getArray(0).isNullAt(1)).isTrue();
  }

  @Test
  void sparkRowsGoTheOtherWayUnchanged() {
    LogicalType.Row inner = new LogicalType.Row(List.of(new LogicalType.Field("s", STRING)), true);
    LogicalType[] types = {
      LogicalType.of(Kind.TIMESTAMP, 6),
      LogicalType.of(Kind.TIMESTAMP_LTZ, 6),
      LogicalType.decimal(38, 18),
      new LogicalType.Array(inner, true)
    };
    FlussRow source = new FlussRow(whole(types), new int[] {0, 1, 2, 3});
    source.pointTo(
        GenericRow.of(
            TimestampNtz.fromMicros(-1),
            TimestampLtz.fromEpochMicros(-1001),
            Decimal.fromBigDecimal(new BigDecimal("1.5"), 38, 18),
            new GenericArray(new Object[] {GenericRow.of(BinaryString.fromString("y"))})));
    SparkRowView view = new SparkRowView(types);
    view.pointTo(source);
    assertThat(view.getFieldCount()).isEqualTo(4);
    assertThat(view.getTimestampNtz(0, 6)).isEqualTo(TimestampNtz.fromMicros(-1));
    assertThat(view.getTimestampLtz(1, 6)).isEqualTo(TimestampLtz.fromEpochMicros(-1001));
    assertThat(view.getDecimal(2, 38, 18).toBigDecimal()).isEqualByComparingTo("1.5");
    assertThat(view.getArray(3).getRow(0, 1).getString(0)).isEqualTo(BinaryString.fromString("y"));
  }
}
