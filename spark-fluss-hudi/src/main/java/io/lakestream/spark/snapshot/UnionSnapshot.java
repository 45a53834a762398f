package io.lakestream.spark.snapshot;

import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.TablePath;
import java.util.List;
import java.util.Optional;

/**
 * What a query reads, frozen: the lake as of one instant and, per bucket, the log offsets that the
 * lake does not hold. Two equal snapshots give the same rows.
 *
 * @param table the table's name
 * @param tableId Fluss's id of the table
 * @param schemaId the id of the schema that the query was resolved with
 * @param lakePath the lake's folder, or null if the lake is not read
 * @param instant the lake instant's requested time, or null if the lake is not read
 * @param tails one entry per bucket, in bucket order, empty ones included
 * @param lostRows offsets that were skipped because the log had lost them, see {@code
 *     failOnDataLoss}
 */
public record UnionSnapshot(
    TablePath table,
    long tableId,
    int schemaId,
    String lakePath,
    String instant,
    List<BucketTail> tails,
    long lostRows) {
  public UnionSnapshot {
    tails = List.copyOf(tails);
    if ((lakePath == null) != (instant == null)) {
      throw new IllegalArgumentException("lake path and instant go together");
    }
  }

  /** The lake alone, as of an instant. */
  public static UnionSnapshot ofLake(LogTable table, String lakePath, String instant) {
    return new UnionSnapshot(
        table.path(), table.tableId(), table.schemaId(), lakePath, instant, List.of(), 0);
  }

  /** The lake instant, empty if only the log is read. */
  public Optional<String> lakeInstant() {
    return Optional.ofNullable(instant);
  }

  /** The offsets in all tails, an upper bound of their records. */
  public long tailLength() {
    return tails.stream().mapToLong(tail -> tail.stop() - tail.start()).sum();
  }
}
