package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose a lake's folder is: made, finished, or refused because it is another's. */
class LakeOwnershipHudiTest extends HudiTieringTestBase {
  private static final LogBucket FIRST = new LogBucket(null, 0);

  @BeforeEach
  void logTable() {
    use(TestTables.log(1));
  }

  @Test
  void theLakeOfAnotherTableIsRefused() {
    append(1);
    round();
    LogTable other = TestTables.primaryKey(1);
    assertThatThrownBy(() -> open(other, settings.lakePath()))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.LAKE_MISMATCH))
        .hasMessageContaining("db.users")
        .hasMessageContaining("db.events with table id 7");
  }

  @Test
  void aCreationThatDiedIsFinishedByTheNextRound() throws IOException {
    append(1);
    open(cluster.table, settings.lakePath()).close();
    Path meta = directory.resolve("lake/.hoodie");
    Path properties = meta.resolve("hoodie.properties");
    String whole = Files.readString(properties);

    // The owner's properties were not written yet.
    rewrite(properties, whole.lines().filter(line -> !line.startsWith("lakestream.")));
    Files.delete(meta.resolve(".aux/table_option.properties"));
    open(cluster.table, settings.lakePath()).close();
    assertThat(metaClient().getTableConfig().getString("lakestream.table.id")).isEqualTo("7");
    assertThat(meta.resolve(".aux/table_option.properties")).exists();

    // Nor Hudi's.
    Files.delete(properties);
    Files.deleteIfExists(meta.resolve(".hoodie.properties.crc"));
    round();
    assertThat(metaClient().getTableConfig().getString("lakestream.table.id")).isEqualTo("7");
    assertThat(rows("id")).containsExactly("[1]");
  }

  @Test
  void aChangeOfThePropertiesThatDiedIsReadFromItsBackup() throws IOException {
    append(1);
    round();
    Path properties = directory.resolve("lake/.hoodie/hoodie.properties");
    Files.move(properties, properties.resolveSibling("hoodie.properties.backup"));
    Files.deleteIfExists(properties.resolveSibling(".hoodie.properties.crc"));
    append(2);
    assertThat(round().rows()).isEqualTo(1);
    assertThat(rows("id")).containsExactly("[1]", "[2]");
  }

  @Test
  void aTimelineWithoutPropertiesIsNotTakenOver() throws IOException {
    cluster.skipOffset(FIRST);
    round();
    try (Stream<Path> files = Files.list(directory.resolve("lake/.hoodie"))) {
      for (Path file : files.filter(path -> path.toString().contains("properties")).toList()) {
        Files.delete(file);
      }
    }
    assertThatThrownBy(this::round)
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.LAKE_MISMATCH))
        .hasMessageContaining("has a timeline, with 2")
        .hasMessageContaining("but no hoodie.properties");
  }

  private static void rewrite(Path file, Stream<String> lines) throws IOException {
    Files.write(file, lines.toList());
    Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
  }

  @Test
  void aFolderWithOtherFilesIsRefused() throws IOException {
    Files.createDirectories(directory.resolve("lake"));
    Files.writeString(directory.resolve("lake/notes.txt"), "not a table");
    append(1);
    assertThatThrownBy(this::round)
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.LAKE_MISMATCH))
        .hasMessageContaining("not empty and holds no Hudi table");
  }

  @Test
  void aHudiTableThatNoTieringServiceBeganIsRefused() {
    spark
        .sql("SELECT 7 AS id, 'theirs' AS name")
        .write()
        .format("hudi")
        .option("hoodie.table.name", "theirs")
        .option("hoodie.datasource.write.recordkey.field", "id")
        .option("hoodie.datasource.write.partitionpath.field", "")
        .mode("overwrite")
        .save(settings.lakePath());
    List<String> before = timeline();
    append(1);
    assertThatThrownBy(this::round)
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.LAKE_MISMATCH))
        .hasMessageContaining("was begun by no tiering service: it has no column __bucket");
    assertThat(timeline()).isEqualTo(before);
    assertThat(rows("id")).containsExactly("[7]");
  }

  private void append(int id) {
    cluster.append(FIRST, ChangeKind.INSERT, id, UTF8String.fromString("n" + id));
  }
}
