package io.lakestream.spark.hudi;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.hudi.index.bucket.BucketIdentifier;

/**
 * Ids of file groups that hold rows of one bucket. They look like those of Hudi's bucket index:
 * eight digits of the bucket, then the rest of a UUID. Hudi takes that from a random UUID (version
 * 4 of RFC 9562), as for groups without a bucket, which may begin with eight digits too. Ours say
 * version 8, the one that is free for such use, so that they can be told from those for ever.
 */
final class BucketFileIds {
  private static final Pattern OURS =
      Pattern.compile("\\d{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}.*");
  private static final int VERSION = 14;

  private BucketFileIds() {}

  /**
   * The id of the group that a task makes.
   *
   * @param task the same for each attempt of the task and for no other task, so that whatever a
   *     late attempt leaves is no file group of its own, which readers that list folders would take
   *     for more rows
   */
  static String of(int bucket, String task) {
    byte[] name = task.getBytes(StandardCharsets.UTF_8);
    StringBuilder id = new StringBuilder(UUID.nameUUIDFromBytes(name).toString());
    id.setCharAt(VERSION, '8');
    String digits = BucketIdentifier.bucketIdStr(bucket);
    return id.replace(0, digits.length(), digits).toString();
  }

  /** Whether {@link #of} made the id, so that it surely tells the bucket. */
  static boolean isOurs(String fileId) {
    return OURS.matcher(fileId).matches();
  }
}
