package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.lake.LakeWriteResult;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogBucket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.spark.sql.Row;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Buckets that several tasks of a round write, on real Hudi. */
class CutRangesHudiTest extends HudiTieringTestBase {
  private static final int ROWS = 7;

  @BeforeEach
  void atMostTwoRowsATask() {
    use(TestTables.log(2));
    settings =
        new TieringSettings(
            settings.lakePath(),
            List.of(),
            new RoundLimits(100, 2, RoundLimits.DEFAULT.foldBytes()));
    for (int i = 0; i < ROWS; i++) {
      cluster.append(new LogBucket(null, i % 2), ChangeKind.INSERT, i, UTF8String.fromString("n"));
    }
  }

  @Test
  void aRetriedTaskWritesToTheSameFileGroupAndNoOtherTaskDoes() throws IOException {
    cluster.failFirstAttempts = true;
    assertThat(round().rows()).isEqualTo(ROWS);
    assertThat(fileGroups()).hasSize(4);
    assertThat(bucketsOf(fileGroups())).containsExactly("00000000", "00000001");
    assertThat(rows("id")).hasSize(ROWS);

    cluster.append(new LogBucket(null, 0), ChangeKind.INSERT, ROWS, UTF8String.fromString("n"));
    round();
    assertThat(fileGroups()).as("a round begins groups of its own").hasSize(5);
    assertThat(rows("id")).hasSize(ROWS + 1);
  }

  @Test
  void anAttemptAfterTheCommitAddsNoRowsEvenWhereFoldersAreListed() throws IOException {
    List<BucketTask> tasks = new ArrayList<>();
    tiering =
        tiering(
            all -> {
              tasks.addAll(all);
              return new SparkRoundExecutor(spark).run(all);
            });
    round();
    Set<String> files = dataFiles();
    List<LakeWriteResult> late = new SparkRoundExecutor(spark).run(tasks);
    assertThat(late).hasSize(4);
    assertThat(dataFiles()).hasSize(2 * files.size()).containsAll(files);
    for (boolean metadataTable : new boolean[] {true, false}) {
      assertThat(
              spark
                  .read()
                  .format("hudi")
                  .option("hoodie.metadata.enable", metadataTable)
                  .load(settings.lakePath())
                  .select("id")
                  .collectAsList()
                  .stream()
                  .map(Row::toString)
                  .sorted())
          .as("metadata table %s", metadataTable)
          .containsExactly("[0]", "[1]", "[2]", "[3]", "[4]", "[5]", "[6]");
    }
  }

  private Set<String> fileGroups() throws IOException {
    return dataFiles().stream()
        .map(FSUtils::getFileIdFromFileName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> bucketsOf(Set<String> groups) {
    return groups.stream()
        .map(group -> group.substring(0, 8))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Set<String> dataFiles() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("lake"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".parquet") && !name.startsWith("."))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
