package io.lakestream.spark.hudi;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.lake.LakeFile;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.types.PartitionKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which files are merged. Files are named by their size. */
class SmallFilesTest {
  private static final long FILE_SIZE = 100;

  private final List<LakeSlice> slices = new ArrayList<>();

  private void file(String partition, int bucket, long size, LakeFile... logs) {
    slices.add(
        new LakeSlice(
            new PartitionKey(List.of()),
            partition,
            String.format("%d-%03d", size, slices.size()),
            bucket,
            new LakeFile("f", size),
            List.of(logs)));
  }

  private void files(long... sizes) {
    for (long size : sizes) {
      file("", 0, size);
    }
  }

  private List<List<Long>> merged() {
    return SmallFiles.toMerge(slices, FILE_SIZE).stream()
        .map(group -> group.stream().map(LakeSlice::length).toList())
        .toList();
  }

  @Test
  void filesOfSimilarSizeAreMergedUpToTheWantedSize() {
    files(40, 30, 20, 35);

    assertThat(merged()).containsExactly(List.of(20L, 30L, 35L));
  }

  @Test
  void aFullFileIsLeftAlone() {
    files(100, 101, 250);

    assertThat(merged()).isEmpty();
  }

  @Test
  void aFileMuchLargerThanTheOthersWaitsUntilTheyHaveGrown() {
    files(1, 1, 1, 50);
    assertThat(merged()).containsExactly(List.of(1L, 1L, 1L));

    slices.clear();
    files(10, 15, 50);
    assertThat(merged()).containsExactly(List.of(10L, 15L, 50L));
  }

  @Test
  void filesOfOneBucketOfOnePartitionAreMerged() {
    file("p", 0, 10);
    file("p", 1, 11);
    file("q", 0, 12);
    file("p", 0, 13);
    file("q", 1, 14);

    assertThat(merged()).containsExactly(List.of(10L, 13L));
  }

  @Test
  void filesOfUnknownBucketsAndThoseWithLogFilesAreLeftAlone() {
    file("", LakeSlice.UNKNOWN_BUCKET, 10);
    file("", LakeSlice.UNKNOWN_BUCKET, 10);
    file("", 0, 10);
    file("", 0, 10, new LakeFile("l", 1));

    assertThat(merged()).isEmpty();
  }
}
