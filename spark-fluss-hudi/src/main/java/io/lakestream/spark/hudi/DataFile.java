package io.lakestream.spark.hudi;

import io.lakestream.spark.lake.LakeFile;
import java.util.Comparator;

/**
 * A base or log file as its name tells it.
 *
 * @param group the file group that it belongs to
 * @param name the file name
 * @param instant the requested time of the instant that wrote it
 * @param version the number of a log file within its instant; 0 for a base file
 * @param writeToken {@code <partition>-<stage>-<attempt>} of the task that wrote it
 * @param log whether it is a log file
 * @param file its path and length
 */
record DataFile(
    FileGroup group,
    String name,
    String instant,
    int version,
    String writeToken,
    boolean log,
    LakeFile file) {

  /**
   * The order in which log files apply: by instant, then version, then write token. Tokens are
   * compared by number; as text {@code 0-1-10} would come before {@code 0-1-9}.
   */
  static final Comparator<DataFile> LOG_ORDER =
      Comparator.comparing(DataFile::instant)
          .thenComparingInt(DataFile::version)
          .thenComparing(DataFile::writeToken, DataFile::compareTokens)
          .thenComparing(DataFile::name);

  /** The path relative to the table, as commit metadata has it. */
  String relativePath() {
    return group.partitionPath().isEmpty() ? name : group.partitionPath() + "/" + name;
  }

  private static int compareTokens(String left, String right) {
    String[] leftParts = left.split("-", -1);
    String[] rightParts = right.split("-", -1);
    for (int i = 0; i < Math.min(leftParts.length, rightParts.length); i++) {
      int order = compareNumbers(leftParts[i], rightParts[i]);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(leftParts.length, rightParts.length);
  }

  /** Digits by value, without a bound on their number; anything else as text. */
  private static int compareNumbers(String left, String right) {
    if (left.length() != right.length() && isNumber(left) && isNumber(right)) {
      return Integer.compare(left.length(), right.length());
    }
    return left.compareTo(right);
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.chars().allMatch(c -> c >= '0' && c <= '9')
        && (text.length() == 1 || text.charAt(0) != '0');
  }
}
