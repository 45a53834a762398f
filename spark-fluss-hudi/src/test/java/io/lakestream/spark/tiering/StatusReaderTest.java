package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LakeSnapshot;
import io.lakestream.spark.log.LogBucket;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class StatusReaderTest {
  private static final LogBucket FIRST = new LogBucket(null, 0);
  private static final LogBucket SECOND = new LogBucket(null, 1);
  private static final Instant WRITTEN = Instant.ofEpochMilli(FakeLogCluster.TIMESTAMP);

  private final FakeLogCluster cluster = new FakeLogCluster(TestTables.log(2), new ArrayList<>());

  @Test
  void aTableThatWasNeverTiered() {
    append(FIRST, 3);
    TableStatus status = status(Duration.ofSeconds(10));
    assertThat(status.lakeInstant()).isEmpty();
    assertThat(status.lag()).isEqualTo(3);
    assertThat(status.age()).contains(Duration.ofSeconds(10));
    assertThat(status.warning()).isEmpty();
    assertThat(status.buckets())
        .containsExactly(
            new BucketStatus(
                FIRST,
                null,
                0,
                0,
                3,
                Optional.of(WRITTEN),
                Optional.of(Duration.ofSeconds(10)),
                Optional.empty()),
            new BucketStatus(
                SECOND, null, 0, 0, 0, Optional.empty(), Optional.empty(), Optional.empty()));
  }

  @Test
  void theFirstUntieredRecordCounts() {
    append(FIRST, 5);
    append(SECOND, 2);
    cluster.snapshot = new LakeSnapshot(20_260_101_000_000_000L, Map.of(FIRST, 4L, SECOND, 2L));
    cluster.timeToLive = Duration.ofMinutes(1);
    TableStatus status = status(Duration.ofSeconds(20));
    assertThat(status.lakeInstant()).contains("20260101000000000");
    assertThat(status.lag()).isEqualTo(1);
    assertThat(status.buckets().get(0).oldestUntiered()).contains(WRITTEN.plusMillis(4));
    assertThat(status.buckets().get(0).headroom()).contains(Duration.ofSeconds(40).plusMillis(4));
    assertThat(status.buckets().get(1).age()).isEmpty();
    assertThat(status.warning()).isEmpty();
  }

  @Test
  void offsetsWithoutRecordsHaveNoAge() {
    append(FIRST, 1);
    cluster.skipOffset(FIRST);
    cluster.snapshot = new LakeSnapshot(20_260_101_000_000_000L, Map.of(FIRST, 1L));
    TableStatus status = status(Duration.ofSeconds(20));
    assertThat(status.lag()).isEqualTo(1);
    assertThat(status.age()).isEmpty();
  }

  @Test
  void moreThanHalfOfTheTimeToLiveIsAWarning() {
    append(FIRST, 1);
    cluster.timeToLive = Duration.ofSeconds(60);
    assertThat(status(Duration.ofSeconds(30)).warning()).isEmpty();
    assertThat(status(Duration.ofSeconds(31)).warning())
        .contains(
            "db.events: records that are not in the lake are 31 s old, more than half of"
                + " 'table.log.ttl' (60 s), after which Fluss deletes them. Tier more often or"
                + " raise the TTL.");
  }

  @Test
  void whatTheLogHasLostIsTold() {
    append(FIRST, 5);
    cluster.snapshot = new LakeSnapshot(20_260_101_000_000_000L, Map.of(FIRST, 1L));
    cluster.earliest.put(FIRST, 3L);
    BucketStatus bucket = status(Duration.ZERO).buckets().get(0);
    assertThat(bucket.lost()).isEqualTo(2);
    assertThat(bucket.lag()).isEqualTo(4);
    assertThat(bucket.oldestUntiered()).contains(WRITTEN.plusMillis(3));
  }

  private void append(LogBucket bucket, int count) {
    for (int i = 0; i < count; i++) {
      cluster.append(bucket, ChangeKind.INSERT, i, UTF8String.fromString("r"));
    }
  }

  private TableStatus status(Duration after) {
    Clock clock = Clock.fixed(WRITTEN.plus(after), ZoneOffset.UTC);
    return new StatusReader(cluster, clock).read(cluster.table.path());
  }
}
