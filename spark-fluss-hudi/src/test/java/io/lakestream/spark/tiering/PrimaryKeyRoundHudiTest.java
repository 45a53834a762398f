package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.PartitionKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstantTimeGenerator;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PrimaryKeyRoundHudiTest extends HudiTieringTestBase {
  private static final LogBucket FIRST = new LogBucket(null, 0);
  private static final LogBucket SECOND = new LogBucket(null, 1);

  @Test
  void changesApplyToTheGroupsOfTheirBuckets() throws IOException {
    use(TestTables.primaryKey(2));
    change(FIRST, ChangeKind.INSERT, 1, "a");
    change(FIRST, ChangeKind.INSERT, 2, "b");
    change(SECOND, ChangeKind.INSERT, 3, "c");
    change(SECOND, ChangeKind.INSERT, 4, "d");
    change(SECOND, ChangeKind.DELETE, 4, "d");
    RoundResult first = round();
    assertThat(first.rows()).isEqualTo(3);
    assertThat(first.deletes()).isZero();
    assertThat(rows("id", "name")).containsExactly("[1,a]", "[2,b]", "[3,c]");

    change(FIRST, ChangeKind.UPDATE_BEFORE, 1, "a");
    change(FIRST, ChangeKind.UPDATE_AFTER, 1, "a2");
    change(FIRST, ChangeKind.DELETE, 2, "b");
    change(FIRST, ChangeKind.INSERT, 2, "b again");
    change(SECOND, ChangeKind.DELETE, 3, "c");
    change(SECOND, ChangeKind.INSERT, 5, "e");
    RoundResult second = round();
    assertThat(second.rows()).isEqualTo(3);
    assertThat(second.deletes()).isEqualTo(1);
    assertThat(rows("id", "name")).containsExactly("[1,a2]", "[2,b again]", "[5,e]");
    assertThat(baseFiles()).hasSize(2);

    String compaction = tiering.compact(cluster.table.path(), settings, 1).orElseThrow();
    assertThat(compaction).isGreaterThan(second.instant().orElseThrow());
    assertThat(rows("id", "name")).containsExactly("[1,a2]", "[2,b again]", "[5,e]");
    assertThat(baseFiles()).hasSize(4);

    change(FIRST, ChangeKind.DELETE, 1, "a2");
    RoundResult third = round();
    assertThat(third.recoveredInstant()).isEmpty();
    assertThat(rows("id", "name")).containsExactly("[2,b again]", "[5,e]");
    assertThat(baseFiles()).hasSize(4);
  }

  @Test
  @Tag("R-24")
  void aPendingCompactionChangesNoRow() throws IOException {
    use(TestTables.primaryKey(1));
    for (int id = 1; id <= 4; id++) {
      change(FIRST, ChangeKind.INSERT, id, "v" + id);
    }
    round();
    change(FIRST, ChangeKind.UPDATE_AFTER, 1, "w1");
    round();
    String pending = HoodieInstantTimeGenerator.getCurrentInstantTimeStr();
    scheduleCompaction(pending);
    change(FIRST, ChangeKind.UPDATE_AFTER, 3, "w3");
    change(FIRST, ChangeKind.DELETE, 4, "v4");
    change(FIRST, ChangeKind.INSERT, 5, "v5");
    round();
    String[] expected = {"[1,w1]", "[2,v2]", "[3,w3]", "[5,v5]"};
    assertThat(rows("id", "name")).containsExactly(expected);

    // As if whoever ran the compaction had died.
    HoodieTableMetaClient client = metaClient();
    client
        .getActiveTimeline()
        .transitionCompactionRequestedToInflight(
            client.getActiveTimeline().filterPendingCompactionTimeline().firstInstant().get());
    // One of a writer that gives no signs of life is not taken over: it may be alive.
    assertThatThrownBy(() -> tiering.compact(cluster.table.path(), settings, 1))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_CONFLICT))
        .hasMessageContaining("the compaction " + pending)
        .hasMessageContaining("was begun by another writer");

    // A live one is not taken over.
    Path heartbeat = directory.resolve("lake/.hoodie/.heartbeat/" + pending);
    Files.writeString(heartbeat, "");
    assertThatThrownBy(() -> tiering.compact(cluster.table.path(), settings, 1))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_CONFLICT))
        .hasMessageContaining("the compaction " + pending)
        .hasMessageContaining("is being run by another job");
    Files.setLastModifiedTime(
        heartbeat, FileTime.from(Instant.now().minus(HEARTBEAT_TIMEOUT.multipliedBy(2))));
    assertThat(tiering.compact(cluster.table.path(), settings, 9)).contains(pending);
    assertThat(heartbeat).doesNotExist();
    assertThat(tiering.compact(cluster.table.path(), settings, 2)).isEmpty();
    assertThat(rows("id", "name")).containsExactly(expected);
    assertThat(tiering.compact(cluster.table.path(), settings, 1)).isPresent();
    assertThat(rows("id", "name")).containsExactly(expected);
    assertThat(tiering.compact(cluster.table.path(), settings, 1)).isEmpty();
  }

  @Test
  void partitionsHaveGroupsOfTheirOwn() {
    use(
        TestTables.table(
            "parts",
            TestTables.columns(
                "id", LogicalType.of(Kind.INTEGER).withNullable(false),
                "dt", LogicalType.of(Kind.STRING).withNullable(false),
                "v", LogicalType.of(Kind.BIGINT)),
            List.of("id", "dt"),
            List.of("dt"),
            List.of("id"),
            1));
    partition(10, "2026-08-01");
    partition(11, "2026-08-02");
    LogBucket one = new LogBucket(10L, 0);
    LogBucket two = new LogBucket(11L, 0);
    cluster.append(one, ChangeKind.INSERT, 1, UTF8String.fromString("2026-08-01"), 10L);
    cluster.append(two, ChangeKind.INSERT, 1, UTF8String.fromString("2026-08-02"), 20L);
    round();
    cluster.append(two, ChangeKind.DELETE, 1, UTF8String.fromString("2026-08-02"), 20L);
    cluster.append(one, ChangeKind.UPDATE_AFTER, 1, UTF8String.fromString("2026-08-01"), 11L);
    round();
    assertThat(rows("id", "dt", "v", "_hoodie_record_key", "_hoodie_partition_path"))
        .containsExactly("[1,2026-08-01,11,id:1,dt:2026-08-01,2026-08-01]");
  }

  private void partition(long id, String name) {
    cluster.partitions.add(
        new LogPartition(id, name, new PartitionKey(List.of(UTF8String.fromString(name)))));
  }

  private void change(LogBucket bucket, ChangeKind kind, int id, String name) {
    cluster.append(bucket, kind, id, UTF8String.fromString(name));
  }

  private List<Path> baseFiles() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("lake"))) {
      return files
          .filter(file -> file.toString().endsWith(".parquet"))
          .filter(file -> !file.toString().contains(".hoodie"))
          .toList();
    }
  }
}
