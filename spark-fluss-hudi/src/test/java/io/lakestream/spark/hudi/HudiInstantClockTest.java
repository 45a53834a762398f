package io.lakestream.spark.hudi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.types.TablePath;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.model.HoodieTimelineTimeZone;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstantTimeGenerator;
import org.apache.hudi.storage.hadoop.HadoopStorageConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class HudiInstantClockTest {
  private static final TablePath TABLE = new TablePath("db", "t");

  @TempDir Path directory;

  @Test
  @Timeout(60)
  void tablesOfDifferentZonesTakeTurns() throws Exception {
    HoodieTableMetaClient utc = table("utc", HoodieTimelineTimeZone.UTC);
    HoodieTableMetaClient local = table("local", HoodieTimelineTimeZone.LOCAL);
    List<String> events = new CopyOnWriteArrayList<>();
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Thread first =
        new Thread(
            () ->
                HudiInstantClock.inZoneOf(
                    utc,
                    TABLE,
                    () -> {
                      entered.countDown();
                      await(release);
                      return events.add("utc leaves");
                    }));
    Thread second =
        new Thread(() -> HudiInstantClock.inZoneOf(local, TABLE, () -> events.add("local enters")));
    first.start();
    await(entered);
    assertThat(HudiInstantClock.inZoneOf(utc, TABLE, () -> events.add("utc shares"))).isTrue();
    second.start();
    while (second.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    release.countDown();
    first.join();
    second.join();
    assertThat(events).containsExactly("utc shares", "utc leaves", "local enters");
  }

  @Test
  void aGeneratorThatIsAheadIsRefusedInsteadOfWaitedFor() throws Exception {
    HoodieTableMetaClient utc = table("utc", HoodieTimelineTimeZone.UTC);
    AtomicReference<String> last = lastInstantTime();
    String before = last.getAndSet("99991231235959999");
    try {
      assertThatThrownBy(() -> HudiInstantClock.inZoneOf(utc, TABLE, () -> "never"))
          .isInstanceOfSatisfying(
              LakestreamException.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_FAILED))
          .hasMessageContaining("99991231235959999")
          .hasMessageContaining("timeline zone UTC");
    } finally {
      last.set(before);
    }
  }

  /** Hudi has no setter for the last instant that its generator gave out. */
  @SuppressWarnings("unchecked")
  private static AtomicReference<String> lastInstantTime() throws ReflectiveOperationException {
    Field field = HoodieInstantTimeGenerator.class.getDeclaredField("LAST_INSTANT_TIME");
    field.setAccessible(true);
    return (AtomicReference<String>) field.get(null);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  private HoodieTableMetaClient table(String name, HoodieTimelineTimeZone zone) throws IOException {
    return HoodieTableMetaClient.newTableBuilder()
        .setTableType(HoodieTableType.COPY_ON_WRITE)
        .setTableName(name)
        .setCommitTimezone(zone)
        .initTable(
            new HadoopStorageConfiguration(new Configuration()),
            directory.resolve(name).toUri().toString());
  }
}
