package io.lakestream.spark.fluss;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.CalendarInterval;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A Spark row that shows chosen fields of a Fluss row without copying them. One object serves row
 * after row: {@link #pointTo}; {@link #copy} gives one that stays. Read-only, not thread-safe.
 */
final class FlussRow extends InternalRow {
  private final List<ValueShape> fields;
  private final int[] positions;
  private org.apache.fluss.row.InternalRow row;

  /**
   * A view.
   *
   * @param fields the shapes of the fields shown
   * @param positions where each of them stands in the Fluss row
   */
  FlussRow(List<ValueShape> fields, int[] positions) {
    this.fields = fields;
    this.positions = positions;
  }

  void pointTo(org.apache.fluss.row.InternalRow row) {
    this.row = row;
  }

  @Override
  public int numFields() {
    return fields.size();
  }

  @Override
  public boolean isNullAt(int ordinal) {
    return row.isNullAt(positions[ordinal]);
  }

  @Override
  public boolean getBoolean(int ordinal) {
    return row.getBoolean(positions[ordinal]);
  }

  @Override
  public byte getByte(int ordinal) {
    return row.getByte(positions[ordinal]);
  }

  @Override
  public short getShort(int ordinal) {
    return row.getShort(positions[ordinal]);
  }

  @Override
  public int getInt(int ordinal) {
    return row.getInt(positions[ordinal]);
  }

  @Override
  public long getLong(int ordinal) {
    return FlussValues.longValue(row, positions[ordinal], fields.get(ordinal).scalar());
  }

  @Override
  public float getFloat(int ordinal) {
    return row.getFloat(positions[ordinal]);
  }

  @Override
  public double getDouble(int ordinal) {
    return row.getDouble(positions[ordinal]);
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
    return FlussValues.get(row, positions[ordinal], fields.get(ordinal));
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
  public InternalRow copy() {
    Object[] values = new Object[fields.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = FlussValues.detach(get(i));
    }
    return new GenericInternalRow(values);
  }
}
