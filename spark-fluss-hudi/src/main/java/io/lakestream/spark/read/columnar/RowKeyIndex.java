package io.lakestream.spark.read.columnar;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/** Keys of any columns, compared by the bytes of their unsafe row. */
final class RowKeyIndex implements LatestChangeIndex {
  private final UnsafeProjection keyOf;
  private final Map<UnsafeRow, Integer> numbers = new HashMap<>();

  RowKeyIndex(StructType schema, int[] keyOrdinals) {
    this.keyOf = Projections.of(schema, keyOrdinals);
  }

  @Override
  public int add(InternalRow row) {
    UnsafeRow key = keyOf.apply(row);
    Integer number = numbers.get(key);
    if (number == null) {
      number = numbers.size();
      numbers.put(key.copy(), number);
    }
    return number;
  }

  @Override
  public int find(InternalRow row) {
    Integer number = numbers.get(keyOf.apply(row));
    return number == null ? -1 : number;
  }
}
