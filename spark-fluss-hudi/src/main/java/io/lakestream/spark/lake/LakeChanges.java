package io.lakestream.spark.lake;

import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/** The final change of each record key in a slice's log files. Not thread-safe. */
public interface LakeChanges extends Closeable {

  boolean next() throws IOException;

  /** The record key as Hudi spells it, as in the base file's key column. */
  String recordKey();

  /** Whether the key is gone; then there is no row. */
  boolean deleted();

  /** The wanted columns; valid until the next {@link #next}. */
  InternalRow row();
}
