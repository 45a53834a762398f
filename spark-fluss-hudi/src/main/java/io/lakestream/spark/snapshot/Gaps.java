package io.lakestream.spark.snapshot;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.log.LogTable;

/** The errors about what a snapshot needs and one of the tiers does not have. */
final class Gaps {
  private Gaps() {}

  static LakestreamException expired(
      LogTable table,
      LogBucket bucket,
      String partition,
      long wanted,
      long available,
      boolean lake,
      boolean keySnapshot) {
    String where = new LogRange(bucket, partition, wanted, wanted).where();
    String reason;
    String remedy;
    if (keySnapshot) {
      reason = "the key snapshot ends before offset " + wanted;
      remedy =
          "Changes were lost that are in no key snapshot yet; raise 'table.log.ttl' far above the"
              + " cluster's 'kv.snapshot.interval', and run the query again.";
    } else if (lake) {
      reason = "the lake ends before offset " + wanted;
      remedy =
          table.hasPrimaryKey()
              ? "The untiered changes were lost; raise 'table.log.ttl' above the time between"
                  + " tiering rounds and load the table anew."
              : "Raise 'table.log.ttl' above the time between tiering rounds; read what is left with"
                  + " 'failOnDataLoss' = 'false'.";
    } else {
      reason =
          "a primary-key table without a lake or key snapshot needs every change from offset "
              + wanted;
      remedy = "Run the query again when the cluster has made a key snapshot of the bucket.";
    }
    return LakestreamException.of(
        ErrorCode.LOG_GAP,
        table.path(),
        where + ": " + reason + ", but the log now begins at offset " + available + ".",
        remedy);
  }

  static LakestreamException aheadOfLog(
      LogTable table, LogBucket bucket, String partition, long tiered, long end, boolean lake) {
    return LakestreamException.of(
        ErrorCode.LOG_GAP,
        table.path(),
        new LogRange(bucket, partition, end, end).where()
            + (lake ? ": the lake" : ": the key snapshot")
            + " holds offsets up to "
            + tiered
            + ", but the log ends at offset "
            + end
            + ": the cluster lost log data"
            + (lake ? ", or the lake snapshot is of another table." : "."),
        "Check the cluster's data before reading or tiering this table.");
  }

  static LakestreamException lakeRequired(LogTable table, String problem) {
    return LakestreamException.of(
        ErrorCode.LAKE_NOT_FOUND,
        table.path(),
        problem + ", and 'union.read.mode' is 'required'.",
        "Run a tiering round first, or use 'auto'.");
  }

  static LakestreamException lakeMoved(LogTable table) {
    return LakestreamException.of(
        ErrorCode.LOG_GAP,
        table.path(),
        "tiering rounds ended faster than a snapshot of the table could be taken.",
        "Run the query again.");
  }

  static LakestreamException pinned(LogTable table, BucketTail tail, Long available) {
    return LakestreamException.of(
        ErrorCode.LOG_GAP,
        table.path(),
        tail.range().where()
            + ": the snapshot pin needs offsets from "
            + tail.start()
            + ", but "
            + (available == null
                ? "the partition is gone."
                : "the log now begins at offset " + available + "."),
        "The pinned rows are no longer there as pinned; read without 'snapshot.pin'.");
  }

  static LakestreamException pinnedKeySnapshot(LogTable table, BucketTail tail) {
    return LakestreamException.of(
        ErrorCode.LOG_GAP,
        table.path(),
        tail.range().where()
            + ": the snapshot pin needs the key snapshot "
            + tail.keySnapshot()
            + ", which the cluster has deleted.",
        "The pinned rows are no longer there as pinned; read without 'snapshot.pin'.");
  }
}
