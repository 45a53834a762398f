package io.lakestream.spark.hudi;

import io.lakestream.spark.types.TableSchema;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.StructType;

/** Brings rows of one bucket into the lake's layout and spells their keys. Not thread-safe. */
final class LakeRowEncoder {
  private static final long MICROS_PER_MILLI = 1000;

  private final StructType dataColumns;
  private final UnsafeProjection projection;
  private final RecordKeys recordKeys;
  private final int bucket;
  private final JoinedRow joined = new JoinedRow();
  private final GenericInternalRow system = new GenericInternalRow(3);

  LakeRowEncoder(TableSchema schema, RecordKeys recordKeys, int bucket) {
    this.dataColumns = LakeRowLayout.dataColumns(schema);
    this.projection = LakeRowLayout.projection(schema);
    this.recordKeys = recordKeys;
    this.bucket = bucket;
  }

  /** The columns of encoded rows, without Hudi's meta columns. */
  StructType dataColumns() {
    return dataColumns;
  }

  /**
   * The row in the lake's layout, system columns included.
   *
   * @param timestamp milliseconds since the epoch
   * @return the same object on each call
   */
  InternalRow encode(InternalRow row, long offset, long timestamp) {
    system.setInt(0, bucket);
    system.setLong(1, offset);
    system.setLong(2, Math.multiplyExact(timestamp, MICROS_PER_MILLI));
    return joined.apply(projection.apply(row), system);
  }

  /** The record key of an encoded row. */
  String recordKey(InternalRow encoded) {
    return recordKeys.of(encoded);
  }

  /** The record key to be deleted for an encoded row, empty if the lake cannot have the row. */
  Optional<String> deletedKey(InternalRow encoded) {
    return recordKeys.ofDeleted(encoded);
  }
}
