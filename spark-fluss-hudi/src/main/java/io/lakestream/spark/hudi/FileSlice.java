package io.lakestream.spark.hudi;

import java.util.List;

/**
 * The files of one group as of an instant.
 *
 * @param base the base file, or null
 * @param logs the log files that apply on top of it, in order
 */
record FileSlice(FileGroup group, DataFile base, List<DataFile> logs) {
  FileSlice {
    logs = List.copyOf(logs);
  }
}
