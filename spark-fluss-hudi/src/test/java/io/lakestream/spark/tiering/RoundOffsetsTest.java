package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.log.LogBucket;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundOffsetsTest {

  @Test
  void partitionedOffsetsSurviveTheirJson() {
    RoundOffsets offsets =
        new RoundOffsets(9, Map.of(new LogBucket(4L, 1), 20L, new LogBucket(3L, 0), 10L));
    assertThat(offsets.toJson())
        .isEqualTo(
            "{\"version\":1,\"table_id\":9,\"buckets\":["
                + "{\"partition_id\":3,\"bucket\":0,\"offset\":10},"
                + "{\"partition_id\":4,\"bucket\":1,\"offset\":20}]}");
    assertThat(RoundOffsets.parse(offsets.toJson())).isEqualTo(offsets);
  }

  @Test
  void filesOfFlussAreRead() {
    assertThat(
            RoundOffsets.parseFlussFile(
                "{\"version\":1,\"table_id\":1,\"bucket_offsets\":[17,19]}"))
        .isEqualTo(
            new RoundOffsets(1, Map.of(new LogBucket(null, 0), 17L, new LogBucket(null, 1), 19L)));
    assertThat(
            RoundOffsets.parseFlussFile(
                "{\"version\":1,\"table_id\":3,\"partition_offsets\":"
                    + "[{\"partition_id\":0,\"bucket_offsets\":[6,-1]}]}"))
        .isEqualTo(new RoundOffsets(3, Map.of(new LogBucket(0L, 0), 6L)));
  }

  @Test
  void otherVersionsAreNotGuessed() {
    assertThatThrownBy(() -> RoundOffsets.parse("{\"version\":2,\"table_id\":1,\"buckets\":[]}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("version 2");
    assertThatThrownBy(() -> RoundOffsets.parse("/some/path"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("/some/path");
  }
}
