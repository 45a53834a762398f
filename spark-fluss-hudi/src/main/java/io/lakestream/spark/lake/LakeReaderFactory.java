package io.lakestream.spark.lake;

import io.lakestream.spark.types.BatchIterator;
import java.io.IOException;
import java.io.Serializable;
import org.apache.spark.sql.types.StructType;

/**
 * Reads slices of one lake table in tasks. Serializable with values only; thread-safe.
 *
 * <p>The wanted columns are given as a Spark schema whose names are those of the table and whose
 * types may be pruned inside structs. A column that a file lacks is null. System columns ({@code
 * _hoodie_*}, {@code __bucket}, {@code __offset}, {@code __timestamp}) never appear.
 */
public interface LakeReaderFactory extends Serializable {

  /**
   * Opens a part of a base file: the row groups whose middle lies in {@code [start, start +
   * length)}.
   *
   * @param columns the wanted columns; may be empty, then batches only have a row count
   * @param recordKey whether the record key follows the wanted columns, as one more string column
   */
  BatchIterator openBase(
      LakeFile file, long start, long length, StructType columns, boolean recordKey)
      throws IOException;

  /** Opens the changes of a slice's log files, folded to one final change per record key. */
  LakeChanges openChanges(LakeSlice slice, StructType columns) throws IOException;
}
