package io.lakestream.spark.read.columnar;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/**
 * Numbers the distinct primary keys of a set of changes. Keys are compared by their typed values,
 * never by a spelling. Rows are of one shape per index; the key columns are at fixed places in it.
 * Not thread-safe.
 */
interface LatestChangeIndex {

  /** The number of the row's key, the next free number if the key is new. */
  int add(InternalRow row);

  /** The number of the row's key, or -1 if the key was never added. */
  int find(InternalRow row);

  /**
   * An index for rows of one shape.
   *
   * @param schema the shape of the rows
   * @param keyOrdinals where the key columns are in it
   */
  static LatestChangeIndex create(StructType schema, int[] keyOrdinals) {
    if (keyOrdinals.length == 1 && LongKeyIndex.holds(schema.apply(keyOrdinals[0]).dataType())) {
      return new LongKeyIndex(schema.apply(keyOrdinals[0]).dataType(), keyOrdinals[0]);
    }
    return new RowKeyIndex(schema, keyOrdinals);
  }
}
