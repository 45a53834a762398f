package io.lakestream.spark.log;

import java.io.IOException;
import java.io.Serializable;
import org.apache.spark.sql.types.StructType;

/** Opens ranges of one table's log in a task. Serializable with values only; thread-safe. */
public interface LogReaderFactory extends Serializable {

  /**
   * Opens a range.
   *
   * @param columns the wanted columns, in the order in which rows shall have them, by the names of
   *     the table; types may be pruned inside structs; may be empty, then rows have no fields
   * @throws io.lakestream.spark.error.LakestreamException {@code TABLE_REPLACED} if the table id is
   *     no longer the same. That the log begins after the start shows at the first {@link
   *     LogReader#next}.
   */
  LogReader open(LogRange range, StructType columns) throws IOException;

  /**
   * Opens a key snapshot.
   *
   * @param range which bucket
   * @param snapshotId the snapshot's id
   * @param columns as in {@link #open}, but at least one
   */
  KeySnapshotReader openKeySnapshot(LogRange range, long snapshotId, StructType columns)
      throws IOException;
}
