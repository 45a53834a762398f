package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.PartitionKey;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LogTableRoundHudiTest extends HudiTieringTestBase {
  private static final LogBucket FIRST = new LogBucket(null, 0);
  private static final LogBucket SECOND = new LogBucket(null, 1);

  @Test
  @Tag("R-34")
  void roundsAppendAndKeepDuplicates() {
    use(TestTables.log(2));
    append(FIRST, 1, "a");
    append(FIRST, 1, "a");
    append(SECOND, 2, null);
    RoundResult first = round();
    assertThat(first.rows()).isEqualTo(3);
    assertThat(first.offsets()).isEqualTo(Map.of(FIRST, 2L, SECOND, 1L));
    assertThat(rows("id", "name")).containsExactly("[1,a]", "[1,a]", "[2,null]");

    append(FIRST, 1, "a");
    RoundResult second = round();
    assertThat(second.rows()).isEqualTo(1);
    assertThat(second.instant().orElseThrow()).isGreaterThan(first.instant().orElseThrow());
    assertThat(rows("id", "name")).containsExactly("[1,a]", "[1,a]", "[1,a]", "[2,null]");
    assertThat(rows("__bucket", "__offset", "cast(__timestamp as long)"))
        .containsExactly(
            "[0,0,1700000000]", "[0,1,1700000000]", "[0,2,1700000000]", "[1,0,1700000000]");
  }

  @Test
  void partitionsAndKeysAreSpelledAsFlussTieringDoes() {
    use(
        TestTables.hashedByHudi(
            TestTables.table(
                "visits",
                TestTables.columns(
                    "n", LogicalType.of(Kind.INTEGER),
                    "day", LogicalType.of(Kind.DATE),
                    "region", LogicalType.of(Kind.STRING)),
                List.of(),
                List.of("day", "region"),
                List.of(),
                1)));
    UTF8String region = UTF8String.fromString("eu");
    cluster.partitions.add(
        new LogPartition(3, "2026-08-01$eu", new PartitionKey(List.of(20_666, region))));
    LogBucket bucket = new LogBucket(3L, 0);
    cluster.append(bucket, ChangeKind.INSERT, 5, 20_666, region);
    cluster.append(bucket, ChangeKind.INSERT, 5, 20_666, region);
    RoundResult result = round();
    assertThat(result.offsets()).isEqualTo(Map.of(bucket, 2L));
    String folder = settings.lakePath() + "/20666/eu";
    assertThat(spark.read().parquet(folder).count()).isEqualTo(2);
    assertThat(
            spark
                .read()
                .parquet(folder)
                .selectExpr("n", "day", "_hoodie_record_key", "_hoodie_partition_path")
                .collectAsList()
                .stream()
                .map(Row::toString))
        .containsExactlyInAnyOrder(
            "[5,2026-08-01,__bucket:0,__offset:0,20666/eu]",
            "[5,2026-08-01,__bucket:0,__offset:1,20666/eu]");
  }

  private void append(LogBucket bucket, int id, String name) {
    cluster.append(
        bucket, ChangeKind.INSERT, id, name == null ? null : UTF8String.fromString(name));
  }
}
