package io.lakestream.spark.tiering;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The last change of a key so far.
 *
 * @param row all declared columns; of a delete only the key columns count
 */
record KeyChange(UnsafeRow row, boolean deleted, long offset, long timestamp) {}
