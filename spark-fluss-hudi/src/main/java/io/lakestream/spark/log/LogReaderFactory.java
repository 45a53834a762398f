package io.lakestream.spark.log;

import java.io.IOException;
import java.io.Serializable;
import java.util.List;

/** Opens ranges of one table's log in a task. Serializable with values only; thread-safe. */
public interface LogReaderFactory extends Serializable {

  /**
   * Opens a range.
   *
   * @param columns the names of the wanted columns, in the order in which rows shall have them; may
   *     be empty, then rows have no fields
   * @throws io.lakestream.spark.error.LakestreamException {@code TABLE_REPLACED} if the table id is
   *     no longer the same. That the log begins after the start shows at the first {@link
   *     LogReader#next}.
   */
  LogReader open(LogRange range, List<String> columns) throws IOException;
}
