package io.lakestream.spark.fluss;

import org.apache.fluss.row.InternalArray;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.CalendarInterval;
import org.apache.spark.unsafe.types.UTF8String;

/** A Spark array that shows a Fluss array without copying it. Read-only, not thread-safe. */
final class FlussArray extends ArrayData {
  private final InternalArray array;
  private final ValueShape element;

  FlussArray(InternalArray array, ValueShape element) {
    this.array = array;
    this.element = element;
  }

  @Override
  public int numElements() {
    return array.size();
  }

  @Override
  public boolean isNullAt(int ordinal) {
    return array.isNullAt(ordinal);
  }

  @Override
  public Object[] array() {
    Object[] values = new Object[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = get(i);
    }
    return values;
  }

  @Override
  public boolean getBoolean(int ordinal) {
    return array.getBoolean(ordinal);
  }

  @Override
  public byte getByte(int ordinal) {
    return array.getByte(ordinal);
  }

  @Override
  public short getShort(int ordinal) {
    return array.getShort(ordinal);
  }

  @Override
  public int getInt(int ordinal) {
    return array.getInt(ordinal);
  }

  @Override
  public long getLong(int ordinal) {
    return FlussValues.longValue(array, ordinal, element.scalar());
  }

  @Override
  public float getFloat(int ordinal) {
    return array.getFloat(ordinal);
  }

  @Override
  public double getDouble(int ordinal) {
    return array.getDouble(ordinal);
  }

  @Override
  public Decimal getDecimal(int ordinal, int precision, int scale) {
    return (Decimal) get(ordinal);
  }

  @Override
  public UTF8String getUTF8String(int ordinal) {
    return (UTF8String) get(ordinal);
  }

  @Override
  public byte[] getBinary(int ordinal) {
    return (byte[]) get(ordinal);
  }

  @Override
  public InternalRow getStruct(int ordinal, int numFields) {
    return (InternalRow) get(ordinal);
  }

  @Override
  public ArrayData getArray(int ordinal) {
    return (ArrayData) get(ordinal);
  }

  @Override
  public MapData getMap(int ordinal) {
    return (MapData) get(ordinal);
  }

  @Override
  public Object get(int ordinal, DataType dataType) {
    return get(ordinal);
  }

  private Object get(int ordinal) {
    return FlussValues.get(array, ordinal, element);
  }

  @Override
  public CalendarInterval getInterval(int ordinal) {
    throw new UnsupportedOperationException("Fluss has no interval type");
  }

  @Override
  public void setNullAt(int ordinal) {
    throw new UnsupportedOperationException("read-only");
  }

  @Override
  public void update(int ordinal, Object value) {
    throw new UnsupportedOperationException("read-only");
  }

  @Override
  public ArrayData copy() {
    Object[] values = array();
    for (int i = 0; i < values.length; i++) {
      values[i] = FlussValues.detach(values[i]);
    }
    return new GenericArrayData(values);
  }
}
