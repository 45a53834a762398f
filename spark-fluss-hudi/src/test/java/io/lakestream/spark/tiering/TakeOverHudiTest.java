package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.hudi.HudiLakeTables;
import io.lakestream.spark.lake.LakeTableWriter;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogBucket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Instants of writers that paused for so long that others took them for dead, on real Hudi. */
@Tag("R-32")
class TakeOverHudiTest extends HudiTieringTestBase {
  private static final LogBucket FIRST = new LogBucket(null, 0);

  @BeforeEach
  void oneRow() {
    use(TestTables.log(1));
    append(1);
  }

  @Test
  void anInstantThatSomebodyClaimedIsNotReportedByItsWriter() {
    TieringRound paused = paused(this::claim);
    assertConflict(
        () -> paused.run(cluster.table.path(), settings),
        "another one could take over its instant");
    assertThat(cluster.snapshot).isNull();
    // Who claimed it finds it complete and goes on; here that one died, so the next round does.
    assertConflict(this::round, "is being rolled back by another job");
    silenceWriters();
    RoundResult next = round();
    assertThat(next.recoveredInstant()).isPresent();
    assertThat(next.instant()).isEmpty();
    assertThat(rows("id")).containsExactly("[1]");
    assertThat(claims()).isEmpty();
  }

  @Test
  void anInstantWhoseFilesWereDeletedMeanwhileIsNotReportedByTheNextRoundEither() {
    TieringRound paused =
        paused(
            instant -> {
              claim(instant);
              deleteDataFiles();
            });
    assertConflict(
        () -> paused.run(cluster.table.path(), settings),
        "another one could take over its instant");
    silenceWriters();
    assertThatThrownBy(this::round)
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.LAKE_UNREADABLE))
        .hasMessageContaining("was completed while another job rolled it back")
        .hasMessageContaining("its file ");
    assertThat(cluster.snapshot).isNull();
  }

  @Test
  void anInstantThatIsRolledBackDuringItsCommitIsNeitherCompleteNorReported() {
    TieringRound paused =
        paused(
            instant -> {
              silenceWriters();
              assertThat(round().rows()).isEqualTo(1);
            });
    assertThatThrownBy(() -> paused.run(cluster.table.path(), settings))
        .isInstanceOf(LakestreamException.class);
    // The second rollback takes back what the first one could not know of.
    assertThat(timeline())
        .containsExactlyInAnyOrder("rollback COMPLETED", "commit COMPLETED", "rollback COMPLETED");
    assertThat(rows("id")).containsExactly("[1]");
    assertThat(round().instant()).isEmpty();
    assertThat(claims()).isEmpty();
  }

  @Test
  void aRoundThatIsRolledBackBetweenItsCheckAndItsCommitDoesNotBeginTheCommit() {
    HostilePorts ports =
        new HostilePorts(
            call -> {
              if (call.equals("before commit")) {
                silenceWriters();
                assertThat(round().rows()).isEqualTo(1);
              }
            });
    TieringRound paused =
        new TieringRound(
            cluster,
            ports.lakes(new HudiLakeTables(spark, Map.of(), HEARTBEAT_TIMEOUT)),
            new SparkRoundExecutor(spark),
            path -> Optional.empty());
    assertConflict(() -> paused.run(cluster.table.path(), settings), "another one could take over");
    assertThat(timeline()).contains("commit COMPLETED").doesNotContain("commit INFLIGHT");
    assertThat(rows("id")).containsExactly("[1]");
    assertThat(round().instant()).isEmpty();
  }

  @Test
  void theCommitUsesTheLakesOwnHadoopOptions() {
    List<String> completed = new ArrayList<>();
    TieringRound round = paused(completed::add);
    String instant = round.run(cluster.table.path(), settings).instant().orElseThrow();
    assertThat(completed).containsExactly(instant);
  }

  @Test
  void ofTwoThatTakeAnInstantOverOneRollsItBack() {
    try (LakeTableWriter dead = open(cluster.table, settings.lakePath());
        LakeTableWriter first = open(cluster.table, settings.lakePath());
        LakeTableWriter second = open(cluster.table, settings.lakePath())) {
      String instant = dead.requestInstant(OptionalLong.empty());
      dead.beginInstant(instant, RoundCommitter.inflightMetadata(new RoundId("dead", 0)));
      silenceWriters();
      claim(instant);
      assertConflict(() -> first.rollback(instant), "is being rolled back by another job");
      assertThat(timeline()).containsExactly("commit INFLIGHT");
      silenceWriters();
      second.rollback(instant);
      assertThat(timeline()).containsExactly("rollback COMPLETED");
      // Who comes too late finds nothing to do.
      first.rollback(instant);
      dead.rollback(instant);
      assertThat(timeline()).containsExactly("rollback COMPLETED");
      assertThat(claims()).isEmpty();
    }
  }

  @Test
  void theRollbackOfACompleteInstantLeavesIt() {
    String instant = round().instant().orElseThrow();
    try (LakeTableWriter late = open(cluster.table, settings.lakePath())) {
      late.rollback(instant);
    }
    assertThat(timeline()).containsExactly("commit COMPLETED");
    assertThat(rows("id")).containsExactly("[1]");
    assertThat(claims()).isEmpty();
  }

  @Test
  void twoWritersNeverShareAnInstant() {
    try (LakeTableWriter first = open(cluster.table, settings.lakePath());
        LakeTableWriter second = open(cluster.table, settings.lakePath())) {
      String one = first.requestInstant(OptionalLong.empty());
      // As if the other process had come to the same millisecond a moment ago.
      String next = Long.toString(Long.parseLong(one) + 1);
      claimAs(next + ".0");
      String two = second.requestInstant(OptionalLong.empty());
      assertThat(two).isGreaterThan(one).isNotEqualTo(next);
    }
  }

  /** A round to which something happens just before it completes its instant. */
  private TieringRound paused(Consumer<String> meanwhile) {
    return new TieringRound(
        cluster,
        new HudiLakeTables(spark, HookedFileSystem.beforeCompletion(meanwhile), HEARTBEAT_TIMEOUT),
        new SparkRoundExecutor(spark),
        path -> Optional.empty());
  }

  /** Claims an instant as a job does before it rolls the instant back. */
  private void claim(String instant) {
    claimAs(instant + ".1");
  }

  private void claimAs(String file) {
    try {
      Files.createFile(claimFolder().resolve(file));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private List<String> claims() {
    try (Stream<Path> files = Files.list(claimFolder())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".crc"))
          .toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private Path claimFolder() {
    return directory.resolve("lake/.hoodie/.aux/lakestream-claims");
  }

  private void deleteDataFiles() {
    try (Stream<Path> files = Files.list(directory.resolve("lake"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".parquet")).toList()) {
        Files.delete(file);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private void append(int id) {
    cluster.append(FIRST, ChangeKind.INSERT, id, UTF8String.fromString("n" + id));
  }
}
