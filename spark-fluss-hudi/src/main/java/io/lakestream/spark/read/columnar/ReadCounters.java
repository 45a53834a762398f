package io.lakestream.spark.read.columnar;

/** What one task has read so far. Confined to the task's thread. */
final class ReadCounters {
  /** Rows that came out of base files and lake log files, before overridden ones are removed. */
  long lakeRows;

  /** Rows that came out of key snapshots, before overridden ones are removed. */
  long keySnapshotRows;

  /** Records that came out of the Fluss log. */
  long logRows;

  /** Lake rows that a later change removed or replaced. */
  long overriddenRows;

  /** Bytes that the Fluss client fetched. */
  long logBytesFetched;

  /** Bytes of changes that went to local disk. */
  long spilledBytes;
}
