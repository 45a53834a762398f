package io.lakestream.spark.hudi;

import static io.lakestream.spark.hudi.HudiSparkTables.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.hudi.HudiSparkTables.Table;
import io.lakestream.spark.lake.AsOf;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.lake.LakeTable;
import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files of a table belong to an instant. */
class HudiSlicesTest {
  private static final TableSchema SCHEMA = schema("id", "INT", "v", "STRING");
  private static final String LOG_FILES = "\\.[0-9a-f].*\\.log\\.\\d+_\\d+-\\d+-\\d+";
  private static final String EACH_COMMIT =
      "options => 'hoodie.compact.inline.max.delta.commits=1'";
  private static HudiSparkTables tables;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    tables = new HudiSparkTables();
  }

  @AfterAll
  static void stop() {
    tables.close();
  }

  private Table copyOnWrite() {
    return tables.table(folder.resolve("t"), "COPY_ON_WRITE");
  }

  private Table mergeOnRead() {
    return tables.table(folder.resolve("t"), "MERGE_ON_READ");
  }

  private static String values(String rows) {
    return "select cast(col1 as int) id, col2 v from values " + rows;
  }

  private static List<Object> values(LakeTable table, String instant) throws IOException {
    return LakeRows.read(table, instant, SCHEMA).stream().map(row -> row.get("v")).toList();
  }

  private static List<Object> newest(LakeTable table) throws IOException {
    return values(table, table.latestInstant().orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void aLateAttemptsBaseFileIsNotRead(String metadataTable) throws IOException {
    Table table =
        copyOnWrite()
            .with("hoodie.metadata.enable", metadataTable)
            .upsert(values("(1, 'a'), (2, 'b'), (3, 'c')"));
    Path real = table.dataFiles(".*\\.parquet").get(0);
    String name = real.getFileName().toString();
    Files.copy(real, real.resolveSibling(name.replaceFirst("_\\d+-\\d+-\\d+_", "_9-9-9_")));
    Files.copy(
        real,
        real.resolveSibling(
            "00000001-0000-4000-8000-000000000000-0" + name.substring(name.indexOf('_'))));

    assertThat(newest(table.open(SCHEMA))).containsExactlyInAnyOrder("a", "b", "c");
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void aLateAttemptsLogFileIsNotRead(String metadataTable) throws IOException {
    Table table =
        mergeOnRead()
            .with("hoodie.metadata.enable", metadataTable)
            .upsert(values("(1, 'a'), (2, 'b')"))
            .upsert(values("(1, 'a2'), (2, 'b2')"));
    List<Path> logs = table.dataFiles(LOG_FILES);
    assertThat(logs).isNotEmpty();
    for (Path log : logs) {
      String name = log.getFileName().toString();
      Path late = log.resolveSibling(name.replaceFirst("\\.log\\.\\d+_.*", ".log.9_9-9-9"));
      Files.writeString(late, "not a log file");
    }

    assertThat(newest(table.open(SCHEMA))).containsExactlyInAnyOrder("a2", "b2");
  }

  @Test
  void anInflightWriteIsInvisible() throws IOException {
    Table table = mergeOnRead().upsert(values("(1, 'a')")).upsert(values("(1, 'b'), (2, 'c')"));
    List<String> instants = table.instants("deltacommit");
    try (var files =
        Files.newDirectoryStream(
            table.path().resolve(".hoodie/timeline"), instants.get(1) + "_*.deltacommit")) {
      for (Path completed : files) {
        Files.delete(completed);
      }
    }

    LakeTable lake = table.open(SCHEMA);

    assertThat(lake.latestInstant()).contains(instants.get(0));
    assertThat(newest(lake)).containsExactly("a");
    assertThatThrownBy(() -> lake.slices(instants.get(1), key -> true))
        .isInstanceOf(LakestreamException.class)
        .hasMessageContaining("db.t")
        .hasMessageContaining("never completed an instant " + instants.get(1))
        .extracting(error -> ((LakestreamException) error).code())
        .isEqualTo(ErrorCode.LAKE_MISMATCH);
  }

  @Test
  void anOlderInstantIsReadAsItWas() throws IOException {
    Table table = mergeOnRead().upsert(values("(1, 'a'), (2, 'b')")).upsert(values("(1, 'a2')"));
    table.delete(values("(2, 'x')"));
    LakeTable lake = table.open(SCHEMA);
    List<String> instants = table.instants("deltacommit");

    assertThat(values(lake, instants.get(0))).containsExactlyInAnyOrder("a", "b");
    assertThat(values(lake, instants.get(1))).containsExactlyInAnyOrder("a2", "b");
    assertThat(values(lake, instants.get(2))).containsExactly("a2");
  }

  @Test
  void pendingAndDoneCompactionsDoNotChangeTheAnswer() throws IOException {
    Table table = mergeOnRead().upsert(values("(1, 'a'), (2, 'b')")).upsert(values("(1, 'a2')"));
    String before = table.instants("deltacommit").get(1);
    table.call("run_compaction", "op => 'schedule', " + EACH_COMMIT);
    LakeTable pending = table.open(SCHEMA);
    assertThat(pending.latestInstant()).contains(before);
    assertThat(newest(pending)).containsExactlyInAnyOrder("a2", "b");

    table.upsert(values("(2, 'b2')"));
    assertThat(newest(table.open(SCHEMA))).containsExactlyInAnyOrder("a2", "b2");

    table.call("run_compaction", "op => 'run', " + EACH_COMMIT);
    assertThat(table.instants("commit")).hasSize(1);
    LakeTable done = table.open(SCHEMA);
    assertThat(newest(done)).containsExactlyInAnyOrder("a2", "b2");
    assertThat(values(done, before)).containsExactlyInAnyOrder("a2", "b");
    assertThat(done.latestInstant()).contains(table.instants("deltacommit").get(2));
    List<LakeSlice> slices = done.slices(done.latestInstant().orElseThrow(), key -> true);
    assertThat(slices).allSatisfy(slice -> assertThat(slice.baseFile()).isNotNull());
    assertThat(slices).anySatisfy(slice -> assertThat(slice.hasLogFiles()).isTrue());
  }

  @Test
  void aCompactionAfterTheNewestWriteIsUsed() throws IOException {
    Table table = mergeOnRead().upsert(values("(1, 'a'), (2, 'b')")).upsert(values("(1, 'a2')"));
    String newest = table.instants("deltacommit").get(1);
    table.call("run_compaction", "op => 'scheduleAndExecute', " + EACH_COMMIT);

    LakeTable lake = table.open(SCHEMA);

    assertThat(lake.latestInstant()).contains(newest);
    assertThat(lake.slices(newest, key -> true))
        .allSatisfy(slice -> assertThat(slice.hasLogFiles()).isFalse());
    assertThat(newest(lake)).containsExactlyInAnyOrder("a2", "b");
  }

  @Test
  void aCleanedInstantIsRefused() throws IOException {
    Table table = copyOnWrite();
    for (int i = 0; i < 3; i++) {
      table.upsert(values("(1, 'v" + i + "')"));
    }
    LakeTable lake = table.open(SCHEMA);
    String oldest = table.instants("commit").get(0);
    assertThat(values(lake, oldest)).containsExactly("v0");

    table
        .with("hoodie.clean.automatic", "true")
        .with("hoodie.clean.commits.retained", "1")
        .upsert(values("(1, 'v3')"));

    assertThat(table.instants("clean")).hasSize(1);
    List<String> instants = table.instants("commit");
    assertGone(lake, instants.get(0), instants.get(3));
    assertThat(values(lake, instants.get(3))).containsExactly("v3");
  }

  @Test
  void anInstantCleanedByFileVersionsIsRefused() throws IOException {
    Table table = copyOnWrite();
    for (int i = 0; i < 2; i++) {
      table.upsert(values("(1, 'v" + i + "')"));
    }
    table
        .with("hoodie.clean.automatic", "true")
        .with("hoodie.clean.policy", "KEEP_LATEST_FILE_VERSIONS")
        .with("hoodie.clean.fileversions.retained", "1")
        .upsert(values("(1, 'v2')"));
    assertThat(table.instants("clean")).hasSize(1);
    List<String> instants = table.instants("commit");
    LakeTable lake = table.open(SCHEMA);

    assertGone(lake, instants.get(0), instants.get(1));
    assertThat(values(lake, instants.get(2))).containsExactly("v2");
  }

  @Test
  void anInstantWhoseFileWasDeletedIsRefused() throws IOException {
    Table table = mergeOnRead().upsert(values("(1, 'a'), (2, 'b')")).upsert(values("(1, 'a2')"));
    Path log = table.dataFiles(LOG_FILES).get(0);
    Files.delete(log);
    LakeTable lake = table.open(SCHEMA);

    assertThatThrownBy(() -> lake.slices(lake.latestInstant().orElseThrow(), key -> true))
        .hasMessageContaining("its file " + log.getFileName() + " is missing");
  }

  @Test
  void anArchivedInstantIsFoundAsOfALaterPoint() throws IOException {
    Table table =
        copyOnWrite()
            .with("hoodie.archive.automatic", "true")
            .with("hoodie.clean.automatic", "true")
            .with("hoodie.clean.commits.retained", "1")
            .with("hoodie.keep.min.commits", "2")
            .with("hoodie.keep.max.commits", "3");
    List<String> written = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      table.upsert(values("(1, 'v" + i + "')"));
      List<String> instants = table.instants("commit");
      written.add(instants.get(instants.size() - 1));
    }
    LakeTable lake = table.open(SCHEMA);

    assertThat(table.instants("commit")).doesNotContain(written.get(0));
    assertThat(lake.instantAsOf(new AsOf.RequestedTime(written.get(0)))).isEqualTo(written.get(0));
    assertThat(lake.instantAsOf(new AsOf.RequestedTime("99991231235959999")))
        .isEqualTo(written.get(5));
    assertThat(lake.instantAsOf(new AsOf.Moment(Instant.now()))).isEqualTo(written.get(5));
    assertGone(lake, written.get(0), written.get(5));
    assertThatThrownBy(() -> lake.instantAsOf(new AsOf.Moment(Instant.EPOCH)))
        .hasMessageContaining("has no data instant up to 19700101000000000")
        .extracting(error -> ((LakestreamException) error).code())
        .isEqualTo(ErrorCode.LAKE_SNAPSHOT_GONE);
  }

  private static void assertGone(LakeTable lake, String instant, String oldest) {
    assertThatThrownBy(() -> lake.slices(instant, key -> true))
        .isInstanceOf(LakestreamException.class)
        .hasMessageContaining("db.t: the lake no longer has all files of instant " + instant)
        .hasMessageContaining("The oldest instant that may still be whole is " + oldest)
        .extracting(error -> ((LakestreamException) error).code())
        .isEqualTo(ErrorCode.LAKE_SNAPSHOT_GONE);
  }

  @Test
  void bucketsComeFromFileIdsButNotAfterClustering() throws IOException {
    Table table = copyOnWrite().with("hoodie.index.type", "SIMPLE");
    table.insert(values("(1, 'a'), (2, 'b')"));
    LakeTable lake = table.open(SCHEMA);
    assertThat(lake.slices(lake.latestInstant().orElseThrow(), key -> true))
        .extracting(LakeSlice::bucket)
        .containsOnly(LakeSlice.UNKNOWN_BUCKET);
    String written = lake.latestInstant().orElseThrow();

    table.call("run_clustering", "op => 'scheduleAndExecute'");

    assertThat(table.instants("replacecommit")).hasSize(1);
    LakeTable clustered = table.open(SCHEMA);
    assertThat(clustered.latestInstant()).contains(written);
    assertThat(newest(clustered)).containsExactlyInAnyOrder("a", "b");
    String clustering = table.instants("replacecommit").get(0);
    assertThat(clustered.slices(written, key -> true))
        .isNotEmpty()
        .allSatisfy(slice -> assertThat(slice.baseFile().path()).contains("_" + clustering + "."));
    table.insert(values("(3, 'c')"));
    LakeTable later = table.open(SCHEMA);
    assertThat(newest(later)).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(values(later, written)).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void groupsOfAnArchivedClusteringAreKnown() throws IOException {
    Table table = copyOnWrite().with("hoodie.index.type", "SIMPLE");
    table.insert(values("(1, 'a'), (2, 'b')"));
    table.call("run_clustering", "op => 'scheduleAndExecute'");
    List<String> clustered =
        table.open(SCHEMA).slices(table.instants("commit").get(0), key -> true).stream()
            .map(LakeSlice::fileId)
            .toList();
    table
        .with("hoodie.archive.automatic", "true")
        .with("hoodie.clean.automatic", "true")
        .with("hoodie.clean.commits.retained", "1")
        .with("hoodie.keep.min.commits", "2")
        .with("hoodie.keep.max.commits", "3");
    for (int i = 0; i < 6; i++) {
      table.insert(values("(" + (3 + i) + ", 'c')"));
    }

    assertThat(table.instants("replacecommit")).isEmpty();
    HudiTimeline timeline =
        new HudiTimeline(
            HudiMetaClients.open(
                HudiSparkTables.TABLE, table.path().toString(), new Configuration()));
    assertThat(timeline.archivedClusteredGroups())
        .extracting(FileGroup::fileId)
        .containsExactlyElementsOf(clustered);
    assertThat(newest(table.open(SCHEMA))).hasSize(8);
  }

  @Test
  void bucketsAreThoseOfTheBucketIndex() throws IOException {
    Table table = mergeOnRead().upsert(values("(1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')"));
    LakeTable lake = table.open(SCHEMA);

    assertThat(lake.slices(lake.latestInstant().orElseThrow(), key -> true))
        .extracting(LakeSlice::bucket)
        .containsExactly(0, 1);
  }

  @Test
  void filesOfArchivedInstantsAreRead() throws IOException {
    for (String metadata : List.of("false", "true")) {
      Table table =
          tables
              .table(folder.resolve("metadata-" + metadata), "COPY_ON_WRITE")
              .with("hoodie.index.type", "SIMPLE")
              .with("hoodie.metadata.enable", metadata)
              .with("hoodie.archive.automatic", "true")
              .with("hoodie.clean.automatic", "true")
              .with("hoodie.keep.min.commits", "2")
              .with("hoodie.keep.max.commits", "3")
              .with("hoodie.clean.commits.retained", "1");
      for (int i = 0; i < 7; i++) {
        table.upsert(values("(0, 'again'), (" + (i + 1) + ", 'v" + i + "')"));
      }
      assertThat(table.instants("commit")).hasSizeLessThan(7);
      Path real = table.dataFiles(".*\\.parquet").get(0);
      String name = real.getFileName().toString();
      Files.copy(real, real.resolveSibling("late" + name));

      assertThat(newest(table.open(SCHEMA)))
          .as("metadata table %s", metadata)
          .containsExactlyInAnyOrder("again", "v0", "v1", "v2", "v3", "v4", "v5", "v6");
    }
  }

  @Test
  void partitionsAreTypedAndPrunable() throws IOException {
    TableSchema schema = schema("id", "INT", "v", "STRING", "d", "STRING", "n", "INT");
    Table table =
        copyOnWrite()
            .with("hoodie.datasource.write.partitionpath.field", "d,n")
            .with("hoodie.datasource.write.hive_style_partitioning", "true")
            .with("hoodie.datasource.write.partitionpath.urlencode", "true")
            .with("hoodie.index.type", "SIMPLE");
    table.insert(
        "select cast(col1 as int) id, col2 v, col3 d, cast(col4 as int) n"
            + " from values (1, 'a', 'x/y=1', 7), (2, 'b', 'z', 8)");
    LakeTable lake = table.open(schema, "d", "n");

    List<LakeSlice> slices =
        lake.slices(
            lake.latestInstant().orElseThrow(),
            key -> Integer.valueOf(7).equals(key.values().get(1)));

    assertThat(slices).hasSize(1);
    assertThat(slices.get(0).partition().values()).hasToString("[x/y=1, 7]");
    assertThat(slices.get(0).partitionPath()).isEqualTo("d=x%2Fy%3D1/n=7");
  }
}
