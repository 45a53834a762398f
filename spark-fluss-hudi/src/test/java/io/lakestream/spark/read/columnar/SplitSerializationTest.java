package io.lakestream.spark.read.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.lake.LakeFile;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.read.plan.UnionSplit;
import io.lakestream.spark.types.PartitionKey;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.reflect.ClassTag$;

/** Splits reach tasks as values, by either serializer, and stay small. */
class SplitSerializationTest {
  private static final String FOLDER =
      "hdfs://namenode:8020/warehouse/lake/db/table/dt=2026-01-01/";
  private static final LogRange RANGE = new LogRange(new LogBucket(12L, 3), "2026-01-01", 5, 900);

  static List<UnionSplit> splits() {
    PartitionKey partition = new PartitionKey(List.of(UTF8String.fromString("2026-01-01"), 19723));
    List<LakeFile> logs =
        IntStream.range(0, 10)
            .mapToObj(i -> new LakeFile(FOLDER + ".00000003-aaaa_2026.log." + i, 1_000))
            .toList();
    LakeFile base = new LakeFile(FOLDER + "00000003-aaaa_0-1-0_20260101000000000.parquet", 1 << 27);
    return List.of(
        new UnionSplit.LogSplit(RANGE),
        new UnionSplit.LakeSplit(List.of(new UnionSplit.FilePart(base, 0, 1 << 26))),
        new UnionSplit.OverlaySplit(
            List.of(new LakeSlice(partition, "2026-01-01", "00000003-aaaa", 3, base, logs)),
            RANGE));
  }

  @ParameterizedTest
  @MethodSource("splits")
  void aSplitIsTheSameAfterTheTrip(UnionSplit split) {
    UnionInputPartition partition = new UnionInputPartition(split);
    SparkConf conf = new SparkConf();
    for (Serializer serializer : List.of(new JavaSerializer(conf), new KryoSerializer(conf))) {
      ByteBuffer bytes =
          serializer
              .newInstance()
              .serialize(partition, ClassTag$.MODULE$.apply(UnionInputPartition.class));
      assertThat(bytes.remaining()).isLessThan(4096);
      Object copy =
          serializer
              .newInstance()
              .deserialize(bytes, ClassTag$.MODULE$.apply(UnionInputPartition.class));
      assertThat(copy).isEqualTo(partition);
    }
  }
}
