package io.lakestream.spark.hudi;

import java.util.Map;
import java.util.Set;

/**
 * What a completed instant says that it wrote.
 *
 * @param instant its requested time
 * @param completionTime when it completed
 * @param kind what it did to the rows
 * @param files the files that it wrote, by path relative to the table
 * @param replaced the file groups that it made invisible
 */
record CompletedWrite(
    String instant,
    String completionTime,
    Kind kind,
    Map<String, WrittenFile> files,
    Set<FileGroup> replaced) {

  /** What an instant does to the rows of the table. */
  enum Kind {
    /** Adds, changes or removes rows. */
    DATA,
    /** Rewrites log files into base or log files of the same groups. */
    COMPACTION,
    /** Rewrites rows into other file groups. */
    CLUSTERING
  }

  /**
   * One written file.
   *
   * @param group its file group
   * @param log whether it is a log file
   * @param length its length in bytes; 0 if nothing was written, then it may not exist
   * @param previousInstant the instant of the slice before it in its group, or null if the group
   *     began with this file or this is not known
   */
  record WrittenFile(FileGroup group, boolean log, long length, String previousInstant) {}
}
