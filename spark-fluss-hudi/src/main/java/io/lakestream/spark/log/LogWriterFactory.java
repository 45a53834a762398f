package io.lakestream.spark.log;

import java.io.IOException;
import java.io.Serializable;

/** Opens writers of one table in tasks. Serializable with values only; thread-safe. */
public interface LogWriterFactory extends Serializable {

  /** Opens a writer for rows with all columns of the table, in table order. */
  LogWriter open() throws IOException;
}
