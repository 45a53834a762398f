package io.lakestream.spark.hudi;

/** The identity of a file group: its partition folder (relative to the table) and file id. */
record FileGroup(String partitionPath, String fileId) {}
