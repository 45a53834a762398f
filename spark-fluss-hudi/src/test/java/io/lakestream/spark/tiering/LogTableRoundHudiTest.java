package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogBucket;
import java.util.Map;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class LogTableRoundHudiTest extends HudiTieringTestBase {
  private static final LogBucket FIRST = new LogBucket(null, 0);
  private static final LogBucket SECOND = new LogBucket(null, 1);

  @Test
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

  private void append(LogBucket bucket, int id, String name) {
    cluster.append(
        bucket, ChangeKind.INSERT, id, name == null ? null : UTF8String.fromString(name));
  }
}
