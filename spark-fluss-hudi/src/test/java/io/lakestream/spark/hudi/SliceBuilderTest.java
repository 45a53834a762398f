package io.lakestream.spark.hudi;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.hudi.CompletedWrite.Kind;
import io.lakestream.spark.hudi.CompletedWrite.WrittenFile;
import io.lakestream.spark.lake.LakeFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The choice of files, without a table. Instants are two digits, completion times too. */
class SliceBuilderTest {
  private static final FileGroup GROUP = new FileGroup("", "g");

  private final List<CompletedWrite> writes = new ArrayList<>();
  private final List<DataFile> files = new ArrayList<>();

  private static DataFile base(String instant) {
    String name = "g_0-1-0_" + instant + ".parquet";
    return new DataFile(GROUP, name, instant, 0, "0-1-0", false, new LakeFile(name, 1));
  }

  private static DataFile log(String instant, int version, String token) {
    String name = ".g_" + instant + ".log." + version + "_" + token;
    return new DataFile(GROUP, name, instant, version, token, true, new LakeFile(name, 1));
  }

  private void write(String instant, String completion, Kind kind, DataFile... written) {
    Map<String, WrittenFile> map = new HashMap<>();
    for (DataFile file : written) {
      map.put(file.relativePath(), new WrittenFile(GROUP, file.log(), 1, null));
      files.add(file);
    }
    writes.add(new CompletedWrite(instant, completion, kind, map, Set.of()));
  }

  private Map<FileGroup, FileSlice> build(String instant) throws IOException {
    SliceBuilder.Archive nothing =
        new SliceBuilder.Archive() {
          @Override
          public boolean listsCommittedOnly() {
            return false;
          }

          @Override
          public boolean covers(String candidate) {
            return false;
          }

          @Override
          public boolean wrote(DataFile file) {
            throw new AssertionError("not archived: " + file);
          }

          @Override
          public Optional<String> completionTime(String candidate) {
            return Optional.empty();
          }
        };
    return new SliceBuilder(instant, writes, nothing).build(files);
  }

  private static List<String> names(FileSlice slice) {
    return Stream.concat(Stream.ofNullable(slice.base()), slice.logs().stream())
        .map(DataFile::name)
        .toList();
  }

  @Test
  void logFilesApplyByInstantThenVersionThenTokenAsNumbers() throws IOException {
    write("02", "03", Kind.DATA, log("02", 1, "0-1-10"), log("02", 1, "0-1-9"));
    write("04", "05", Kind.DATA, log("04", 10, "0-1-0"), log("04", 2, "0-1-0"));

    assertThat(names(build("04").get(GROUP)))
        .containsExactly(
            ".g_02.log.1_0-1-9", ".g_02.log.1_0-1-10", ".g_04.log.2_0-1-0", ".g_04.log.10_0-1-0");
    assertThat(names(build("02").get(GROUP))).hasSize(2);
  }

  @Test
  void aLogFileThatWasInflightWhenTheCompactionBeganAppliesOnTop() throws IOException {
    write("01", "02", Kind.DATA, log("01", 1, "0-1-0"));
    write("03", "06", Kind.DATA, log("03", 1, "0-1-0"));
    write("05", "07", Kind.COMPACTION, base("05"));
    write("08", "09", Kind.DATA, log("08", 1, "0-1-0"));

    assertThat(names(build("08").get(GROUP)))
        .containsExactly("g_0-1-0_05.parquet", ".g_03.log.1_0-1-0", ".g_08.log.1_0-1-0");
  }

  @Test
  void aNewerCompactionCountsOnlyIfNoNewerRowsAreInIt() throws IOException {
    write("01", "02", Kind.DATA, log("01", 1, "0-1-0"));
    write("03", "04", Kind.COMPACTION, base("03"));
    write("05", "06", Kind.DATA, log("05", 1, "0-1-0"));
    write("07", "08", Kind.COMPACTION, base("07"));

    assertThat(names(build("01").get(GROUP))).containsExactly("g_0-1-0_03.parquet");
    assertThat(names(build("05").get(GROUP))).containsExactly("g_0-1-0_07.parquet");
  }

  @Test
  void noNewerCompactionCountsForAnArchivedInstant() throws IOException {
    write("03", "04", Kind.COMPACTION, base("03"));

    assertThat(build("01")).isEmpty();
  }

  @Test
  void filesThatNoInstantClaimsAreLeftOut() throws IOException {
    write("01", "02", Kind.DATA, base("01"));
    files.add(log("01", 1, "0-9-9"));
    files.add(log("03", 1, "0-1-0"));

    assertThat(names(build("05").get(GROUP))).containsExactly("g_0-1-0_01.parquet");
  }

  @Test
  void replacedGroupsAreLeftOutFromTheReplacementOn() throws IOException {
    write("01", "02", Kind.DATA, base("01"));
    write("03", "04", Kind.DATA);
    writes.add(new CompletedWrite("05", "06", Kind.CLUSTERING, Map.of(), Set.of(GROUP)));

    assertThat(build("01")).containsOnlyKeys(GROUP);
    assertThat(build("05")).isEmpty();
  }

  @Test
  void aNewerClusteringCountsOnlyIfNoNewerRowsAreInIt() throws IOException {
    FileGroup merged = new FileGroup("", "m");
    write("01", "02", Kind.DATA, base("01"));
    writes.add(new CompletedWrite("03", "06", Kind.CLUSTERING, Map.of(), Set.of(GROUP)));
    write("04", "05", Kind.DATA);
    writes.add(new CompletedWrite("07", "08", Kind.CLUSTERING, Map.of(), Set.of(merged)));

    assertThat(build("01")).isEmpty();
    SliceBuilder first = new SliceBuilder("01", writes, null);
    assertThat(first.isReplaced(GROUP)).isTrue();
    assertThat(first.isReplaced(merged)).isFalse();
    assertThat(new SliceBuilder("04", writes, null).isReplaced(merged)).isTrue();
  }
}
