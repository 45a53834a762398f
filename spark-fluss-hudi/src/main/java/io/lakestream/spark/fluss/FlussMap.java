package io.lakestream.spark.fluss;

import org.apache.fluss.row.InternalMap;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;

/** A Spark map that shows a Fluss map without copying it. Read-only, not thread-safe. */
final class FlussMap extends MapData {
  private final FlussArray keys;
  private final FlussArray values;

  FlussMap(InternalMap map, ValueShape shape) {
    this.keys = new FlussArray(map.keyArray(), shape.parts().get(0));
    this.values = new FlussArray(map.valueArray(), shape.parts().get(1));
  }

  @Override
  public int numElements() {
    return keys.numElements();
  }

  @Override
  public ArrayData keyArray() {
    return keys;
  }

  @Override
  public ArrayData valueArray() {
    return values;
  }

  @Override
  public MapData copy() {
    return new ArrayBasedMapData(keys.copy(), values.copy());
  }
}
