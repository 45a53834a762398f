package io.lakestream.spark.read.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

class LatestChangeIndexTest {
  private static InternalRow row(Object... values) {
    return new GenericInternalRow(values);
  }

  @Test
  void longKeysAreNumberedInOrderAndFoundAgainBeyondEveryGrowth(TestReporter reporter) {
    long seed = System.nanoTime();
    reporter.publishEntry("seed", Long.toString(seed));
    Random random = new Random(seed);
    StructType schema =
        new StructType().add("v", DataTypes.StringType).add("id", DataTypes.LongType, false);
    LatestChangeIndex index = LatestChangeIndex.create(schema, new int[] {1});
    assertThat(index).isInstanceOf(LongKeyIndex.class);
    List<Long> keys = new ArrayList<>(List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE));
    random
        .longs(10_000)
        .distinct()
        .filter(key -> !keys.contains(key))
        .limit(5_000)
        .forEach(keys::add);

    for (int i = 0; i < keys.size(); i++) {
      assertThat(index.add(row(null, keys.get(i)))).as("seed %d", seed).isEqualTo(i);
    }
    for (int i = 0; i < keys.size(); i++) {
      assertThat(index.add(row(null, keys.get(i)))).isEqualTo(i);
      assertThat(index.find(row(null, keys.get(i)))).isEqualTo(i);
    }
    assertThat(index.find(row(null, 4_711L))).isEqualTo(keys.indexOf(4_711L));
  }

  @Test
  void narrowKeysUseTheirOwnType() {
    for (Object key : List.of((byte) -3, (short) -3, -3)) {
      StructType schema =
          new StructType()
              .add(
                  "k",
                  key instanceof Byte
                      ? DataTypes.ByteType
                      : key instanceof Short ? DataTypes.ShortType : DataTypes.DateType,
                  false);
      LatestChangeIndex index = LatestChangeIndex.create(schema, new int[] {0});
      assertThat(index).isInstanceOf(LongKeyIndex.class);
      assertThat(index.add(row(key))).isZero();
      assertThat(index.find(row(key))).isZero();
    }
  }

  @Test
  void compoundKeysAreComparedByValueNotBySpelling() {
    StructType schema =
        new StructType()
            .add("a", DataTypes.StringType, false)
            .add("b", DataTypes.StringType, false);
    LatestChangeIndex index = LatestChangeIndex.create(schema, new int[] {0, 1});
    assertThat(index.add(row(UTF8String.fromString("a:b"), UTF8String.fromString("c")))).isZero();
    assertThat(index.add(row(UTF8String.fromString("a"), UTF8String.fromString("b:c")))).isOne();
    assertThat(index.find(row(UTF8String.fromString("a:b"), UTF8String.fromString("c")))).isZero();
    assertThat(index.find(row(UTF8String.fromString("x"), UTF8String.fromString("c"))))
        .isEqualTo(-1);
  }
}
