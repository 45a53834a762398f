package io.lakestream.spark.fluss;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.log.LogTable;
import java.util.List;
import java.util.Optional;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableInfo;

/** What a reader must know of its table beyond the log itself. */
final class LogTableState {
  /** Fluss numbers the schemas of a table from 1. */
  private static final int FIRST_SCHEMA_ID = 1;

  private final Requests requests;
  private final LogTable table;

  LogTableState(Requests requests, LogTable table) {
    this.requests = requests;
    this.table = table;
  }

  /**
   * The table as it is now.
   *
   * @throws LakestreamException {@code TABLE_REPLACED} if it is another one by now
   */
  TableInfo requireCurrent() {
    TableInfo info =
        requests.reading(
            table.path(),
            "describe the table",
            c -> c.getAdmin().getTableInfo(FlussTables.path(table.path())));
    FlussTables.requireSame(table, info.getTableId());
    return info;
  }

  /** The schema that the table was created with. */
  Schema oldestSchema(TableInfo info) {
    if (info.getSchemaId() == FIRST_SCHEMA_ID) {
      return info.getSchema();
    }
    return requests
        .reading(
            table.path(),
            "look up the first schema",
            c -> c.getAdmin().getTableSchema(FlussTables.path(table.path()), FIRST_SCHEMA_ID))
        .getSchema();
  }

  /**
   * Fails if there is nothing left to read from.
   *
   * @throws LakestreamException {@code TABLE_NOT_FOUND}, {@code TABLE_REPLACED}, or {@code
   *     LOG_UNREADABLE} for a dropped partition
   */
  void requireBucket(LogRange range) {
    requireCurrent();
    Long partitionId = range.bucket().partitionId();
    if (partitionId == null) {
      return;
    }
    boolean exists =
        requests
            .reading(
                table.path(),
                "list partitions",
                c -> c.getAdmin().listPartitionInfos(FlussTables.path(table.path())))
            .stream()
            .anyMatch(partition -> partition.getPartitionId() == partitionId);
    if (!exists) {
      throw LakestreamException.of(
          ErrorCode.LOG_UNREADABLE,
          table.path(),
          "the partition with id "
              + partitionId
              + " was dropped while "
              + range.where()
              + " was read.",
          "Run the query again.");
    }
  }

  /** The error for a position that the log does not have. */
  LakestreamException outOfRange(LogRange range, long position, Throwable cause) {
    return expired(range, position, cause)
        .orElseGet(
            () ->
                LakestreamException.of(
                    ErrorCode.LOG_UNREADABLE,
                    table.path(),
                    range.where()
                        + " has no offset "
                        + position
                        + ", though the query needs those up to "
                        + range.stop()
                        + ": "
                        + cause.getMessage(),
                    "The server may have lost the end of its log; see its output.",
                    cause));
  }

  /** The error for a position before the log's beginning; empty if the log still has it. */
  Optional<LakestreamException> expired(LogRange range, long position, Throwable cause) {
    LogBucket bucket = range.bucket();
    Long start =
        new BucketOffsets(requests, table)
            .list(List.of(bucket), new OffsetSpec.EarliestSpec())
            .get(bucket);
    if (start == null || position >= start) {
      return Optional.empty();
    }
    return Optional.of(
        LakestreamException.of(
            ErrorCode.LOG_GAP,
            table.path(),
            range.where()
                + " needs the log from offset "
                + position
                + ", but it begins at "
                + start
                + ".",
            "Raise table.log.ttl, or tier more often, so that rows reach the lake before they"
                + " expire; then run the query again.",
            cause));
  }
}
