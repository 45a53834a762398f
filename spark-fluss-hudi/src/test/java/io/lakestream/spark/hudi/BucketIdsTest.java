package io.lakestream.spark.hudi;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.hudi.CompletedWrite.Kind;
import io.lakestream.spark.hudi.CompletedWrite.WrittenFile;
import io.lakestream.spark.lake.LakeSlice;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hudi.index.bucket.BucketIdentifier;
import org.junit.jupiter.api.Test;

/** The bucket that a file id tells. */
class BucketIdsTest {
  private static final FileGroup FIRST = new FileGroup("p", "00000001-aaaa");

  private static CompletedWrite write(Kind kind, FileGroup group) {
    return new CompletedWrite(
        "01", "02", kind, Map.of("p/f", new WrittenFile(group, false, 1, null)), Set.of());
  }

  @Test
  void eightDigitsBelowTheNumberOfBucketsAreTheBucket() throws IOException {
    BucketIds ids = new BucketIds(3, List.of(write(Kind.DATA, FIRST)), Set::of);

    assertThat(ids.of(FIRST)).isEqualTo(1);
    assertThat(ids.of(new FileGroup("p", "00000002-bbbb"))).isEqualTo(2);
    for (String other : List.of("00000003-cccc", "0000000a-dddd", "+0000001-eeee", "0000001")) {
      assertThat(ids.of(new FileGroup("p", other))).isEqualTo(LakeSlice.UNKNOWN_BUCKET);
    }
  }

  @Test
  void aGroupThatClusteringMadeHasNoKnownBucket() throws IOException {
    BucketIds ids = new BucketIds(3, List.of(write(Kind.CLUSTERING, FIRST)), Set::of);

    assertThat(ids.of(FIRST)).isEqualTo(LakeSlice.UNKNOWN_BUCKET);
    assertThat(ids.of(new FileGroup("q", FIRST.fileId()))).isEqualTo(1);
  }

  @Test
  void aGroupOfAnArchivedClusteringHasNoKnownBucket() throws IOException {
    BucketIds ids = new BucketIds(3, List.of(), () -> Set.of(FIRST));

    assertThat(ids.of(FIRST)).isEqualTo(LakeSlice.UNKNOWN_BUCKET);
    assertThat(ids.of(new FileGroup("p", "00000002-bbbb"))).isEqualTo(2);
  }

  @Test
  void anIdOfOursTellsTheBucketWhateverWroteIt() throws IOException {
    FileGroup merged = new FileGroup("p", BucketFileIds.of(2, "task"));
    BucketIds ids =
        new BucketIds(
            3,
            List.of(write(Kind.CLUSTERING, merged)),
            () -> {
              throw new AssertionError("the archive is not needed");
            });

    assertThat(merged.fileId()).matches("00000002(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    assertThat(BucketIdentifier.bucketIdFromFileId(merged.fileId())).isEqualTo(2);
    assertThat(ids.of(merged)).isEqualTo(2);
    assertThat(BucketFileIds.isOurs(BucketIdentifier.newBucketFileIdPrefix(2))).isFalse();
  }
}
