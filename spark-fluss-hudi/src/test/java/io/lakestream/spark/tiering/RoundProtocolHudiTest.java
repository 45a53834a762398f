package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeTableWriter;
import io.lakestream.spark.lake.LakeWriteResult;
import io.lakestream.spark.lake.RoundMetadata;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogBucket;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.model.HoodieTimelineTimeZone;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieInstantTimeGenerator;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.util.Utils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What rounds leave on a real Hudi timeline. */
class RoundProtocolHudiTest extends HudiTieringTestBase {
  private static final LogBucket FIRST = new LogBucket(null, 0);
  private static final String FAR_FUTURE = "99991231235959999";

  @BeforeEach
  void logTable() {
    use(TestTables.log(1));
  }

  @Test
  void propertiesAndMetadataAreThoseOfFlussTiering() throws IOException {
    append(1);
    String instant = round().instant().orElseThrow();
    HoodieTableMetaClient client = metaClient();
    HoodieTableConfig config = client.getTableConfig();
    assertThat(config.getTimelineTimezone()).isEqualTo(HoodieTimelineTimeZone.UTC);
    assertThat(config.getMetadataPartitions()).containsExactly("files");
    assertThat(config.getString("lakestream.table.id")).isEqualTo("7");
    assertThat(config.getString("lakestream.table.path")).isEqualTo("db.events");
    assertThat(config.getString("hoodie.table.keygenerator.type")).isEqualTo("NON_PARTITION_AVRO");
    assertThat(config.getRecordKeyFields().get()).containsExactly("id");
    assertThat(config.getRecordMergeMode().name()).isEqualTo("EVENT_TIME_ORDERING");
    assertThat(config.getOrderingFields()).isEmpty();
    HoodieInstant commit = client.getActiveTimeline().filterCompletedInstants().lastInstant().get();
    assertThat(commit.requestedTime()).isEqualTo(instant);
    HoodieCommitMetadata metadata = client.getActiveTimeline().readCommitMetadata(commit);
    assertThat(metadata.getExtraMetadata())
        .containsEntry("commit-user", "__fluss_lake_tiering")
        .containsEntry(
            "lakestream.offsets",
            "{\"version\":1,\"table_id\":7,\"buckets\":[{\"bucket\":0,\"offset\":1}]}")
        .containsKeys("fluss-offsets", "lakestream.round", "schema");
    assertThat(metadata.getWriteStats()).hasSize(1);
    assertThat(metadata.getWriteStats().get(0).getFileId()).startsWith("00000000-");
  }

  @Test
  @Tag("R-26")
  void offsetsWithoutRowsMakeAnEmptyInstant() throws IOException {
    cluster.skipOffset(FIRST);
    String instant = round().instant().orElseThrow();
    HoodieTableMetaClient client = metaClient();
    HoodieInstant commit = client.getActiveTimeline().lastInstant().get();
    assertThat(commit.requestedTime()).isEqualTo(instant);
    HoodieCommitMetadata metadata = client.getActiveTimeline().readCommitMetadata(commit);
    assertThat(metadata.getWriteStats()).isEmpty();
    assertThat(metadata.getMetadata(RoundMetadata.OFFSETS)).contains("\"offset\":1");
    assertThat(round().instant()).isEmpty();
    assertThat(timeline()).containsExactly("commit COMPLETED");
  }

  @Test
  @Tag("R-32")
  void aRoundThatWasNotReportedIsReportedByTheNextOne() {
    append(1);
    cluster.reportFailure = new IllegalStateException("connection lost");
    assertThatThrownBy(this::round)
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_NOT_REPORTED))
        .hasMessageContaining("connection lost");
    cluster.reportFailure = null;
    RoundResult next = round();
    assertThat(next.recoveredInstant()).isPresent();
    assertThat(next.instant()).isEmpty();
    assertThat(cluster.snapshot.instant()).isEqualTo(next.recoveredInstant().orElseThrow());
    assertThat(cluster.snapshot.tieredOffsets()).isEqualTo(Map.of(FIRST, 1L));
    assertThat(rows("id")).containsExactly("[1]");
  }

  @Test
  @Tag("R-32")
  void aDeadRoundIsRolledBackAndItsRowsAreWrittenOnce() {
    append(1);
    try (LakeTableWriter lake = open(cluster.table, settings.lakePath())) {
      String instant = lake.requestInstant(OptionalLong.empty());
      lake.beginInstant(instant, RoundCommitter.inflightMetadata(new RoundId("dead", 0)));
      assertThat(lake.pendingInstants().get(0).metadata())
          .containsEntry("lakestream.round", "dead");
    }
    assertConflict(this::round, "gave a sign of life");
    assertThat(timeline()).containsExactly("commit INFLIGHT");
    silenceWriters();
    round();
    assertThat(timeline()).containsExactly("rollback COMPLETED", "commit COMPLETED");
    assertThat(heartbeats()).isEmpty();
    assertThat(rows("id")).containsExactly("[1]");
  }

  @Test
  void aDeadRoundThatOnlyRequestedItsInstantLeavesNothing() {
    append(1);
    try (LakeTableWriter lake = open(cluster.table, settings.lakePath())) {
      lake.requestInstant(OptionalLong.empty());
    }
    assertConflict(this::round, "gave a sign of life");
    assertThat(timeline()).containsExactly("commit REQUESTED");
    silenceWriters();
    round();
    assertThat(timeline()).containsExactly("commit COMPLETED");
    assertThat(heartbeats()).isEmpty();
    assertThat(rows("id")).containsExactly("[1]");
  }

  @Test
  void aRequestedInstantOfAWriterThatGivesNoSignsIsLeftAlone() {
    append(1);
    round();
    HoodieTableMetaClient client = metaClient();
    String foreign = HoodieInstantTimeGenerator.getCurrentInstantTimeStr();
    client
        .getActiveTimeline()
        .createNewInstant(
            client.createNewInstant(HoodieInstant.State.REQUESTED, "commit", foreign));
    append(2);
    assertConflict(this::round, "pending instant " + foreign + " of another writer");
    assertThat(timeline()).containsExactly("commit COMPLETED", "commit REQUESTED");
  }

  @Test
  void anInflightInstantOfAnotherWriterIsLeftAlone() {
    append(1);
    round();
    String foreign;
    try (LakeTableWriter lake = open(cluster.table, settings.lakePath())) {
      foreign = lake.requestInstant(OptionalLong.empty());
      lake.beginInstant(foreign, Map.of());
    }
    silenceWriters();
    append(2);
    assertThatThrownBy(this::round)
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_CONFLICT))
        .hasMessageContaining(foreign);
    assertThat(timeline()).containsExactly("commit COMPLETED", "commit INFLIGHT");
  }

  @Test
  void aRetriedTaskLeavesItsRowsOnce() {
    cluster.failFirstAttempts = true;
    append(1);
    append(2);
    assertThat(round().rows()).isEqualTo(2);
    assertThat(rows("id")).containsExactly("[1]", "[2]");
  }

  @Test
  void aFailedRoundLeavesNothingVisible() {
    append(1);
    round();
    cluster.append(FIRST, ChangeKind.DELETE, 1, null);
    assertThatThrownBy(this::round)
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_FAILED))
        .hasMessageContaining("db.events");
    assertThat(timeline()).containsExactly("commit COMPLETED", "rollback COMPLETED");
    assertThat(rows("id")).containsExactly("[1]");
    assertThat(cluster.snapshot.tieredOffsets()).isEqualTo(Map.of(FIRST, 1L));
  }

  @Test
  void instantsMustExceedTheTimelineAndTheReportedSnapshot() {
    try (LakeTableWriter lake = open(cluster.table, settings.lakePath())) {
      assertThatThrownBy(() -> lake.requestInstant(OptionalLong.of(Long.parseLong(FAR_FUTURE))))
          .isInstanceOf(LakestreamException.class)
          .hasMessageContaining("lake snapshot " + FAR_FUTURE)
          .hasMessageContaining("zone is UTC");
      assertThat(timeline()).isEmpty();
      HoodieTableMetaClient client = metaClient();
      client
          .getActiveTimeline()
          .createNewInstant(
              client.createNewInstant(HoodieInstant.State.REQUESTED, "commit", FAR_FUTURE));
      assertThatThrownBy(() -> lake.requestInstant(OptionalLong.empty()))
          .isInstanceOf(LakestreamException.class)
          .hasMessageContaining("instant " + FAR_FUTURE + " on its timeline");
      assertThat(timeline()).containsExactly("commit REQUESTED");
    }
  }

  @Test
  void aDiscardedInstantLeavesNothing() {
    try (LakeTableWriter lake = open(cluster.table, settings.lakePath())) {
      lake.discardInstant(lake.requestInstant(OptionalLong.empty()));
      assertThat(timeline()).isEmpty();
    }
  }

  @Test
  @Tag("R-32")
  void aRoundBesideALiveOneIsRefusedAndTheLiveOneCommits() {
    append(1);
    append(2);
    RoundExecutor slow =
        tasks -> {
          List<LakeWriteResult> results = new SparkRoundExecutor(spark).run(tasks);
          assertConflict(this::round, "gave a sign of life");
          return results;
        };
    RoundResult result = tiering(slow).run(cluster.table.path(), settings);
    assertThat(result.rows()).isEqualTo(2);
    assertThat(timeline()).containsExactly("commit COMPLETED");
    assertThat(rows("id")).containsExactly("[1]", "[2]");
    assertThat(heartbeats()).isEmpty();
  }

  @Test
  @Tag("R-32")
  void ofTwoRoundsOnlyTheOneThatTookOverCommits() {
    append(1);
    append(2);
    RoundExecutor overtaken =
        tasks -> {
          List<LakeWriteResult> results = new SparkRoundExecutor(spark).run(tasks);
          silenceWriters();
          assertThat(round().rows()).isEqualTo(2);
          return results;
        };
    // Its signs of life are far apart, as if its JVM had stopped for a while.
    TieringRound hanging = tiering(overtaken);
    assertConflict(() -> hanging.run(cluster.table.path(), settings), "no longer inflight");
    assertThat(timeline()).containsExactlyInAnyOrder("rollback COMPLETED", "commit COMPLETED");
    assertThat(rows("id")).containsExactly("[1]", "[2]");
    assertThat(round().instant()).isEmpty();
  }

  @Test
  void anInstantThatOthersRolledBackCannotBeCompleted() {
    append(1);
    try (LakeTableWriter late = open(cluster.table, settings.lakePath())) {
      String instant = late.requestInstant(OptionalLong.empty());
      late.beginInstant(instant, RoundCommitter.inflightMetadata(new RoundId("late", 0)));
      silenceWriters();
      round();
      assertThatThrownBy(() -> late.commit(instant, List.of(), Map.of()))
          .isInstanceOf(RuntimeException.class);
      assertThat(late.isCompleted(instant)).isFalse();
    }
    assertThat(timeline()).containsExactlyInAnyOrder("rollback COMPLETED", "commit COMPLETED");
    assertThat(rows("id")).containsExactly("[1]");
  }

  @Test
  void aTaskIsSmall() {
    append(1);
    List<Integer> sizes = new ArrayList<>();
    RoundExecutor measuring =
        tasks -> {
          tasks.forEach(task -> sizes.add(Utils.serialize(task).length));
          return new SparkRoundExecutor(spark).run(tasks);
        };
    tiering(measuring).run(cluster.table.path(), settings);
    assertThat(sizes).hasSize(1).allSatisfy(size -> assertThat(size).isLessThan(12_000));
  }

  @Test
  void aRecordKeyThatIsNoColumnIsRefused() {
    append(1);
    settings = new TieringSettings(settings.lakePath(), List.of("nope"), RoundLimits.DEFAULT);
    assertThatThrownBy(this::round)
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_REFUSED))
        .hasMessageContaining("column nope");
  }

  private List<String> heartbeats() {
    File[] files = directory.resolve("lake/.hoodie/.heartbeat").toFile().listFiles();
    return Arrays.stream(files).map(File::getName).filter(name -> !name.endsWith(".crc")).toList();
  }

  private void append(int id) {
    cluster.append(FIRST, ChangeKind.INSERT, id, UTF8String.fromString("n" + id));
  }
}
