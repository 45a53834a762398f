package io.lakestream.spark.fluss;

import io.lakestream.spark.types.LogicalType;
import org.apache.fluss.row.InternalArray;
import org.apache.fluss.row.InternalMap;
import org.apache.spark.sql.catalyst.util.MapData;

/** A Fluss map that shows a Spark map without copying it. Not thread-safe. */
record SparkMapView(MapData map, LogicalType.Map type) implements InternalMap {
  @Override
  public int size() {
    return map.numElements();
  }

  @Override
  public InternalArray keyArray() {
    return new SparkArrayView(map.keyArray(), type.key());
  }

  @Override
  public InternalArray valueArray() {
    return new SparkArrayView(map.valueArray(), type.value());
  }
}
