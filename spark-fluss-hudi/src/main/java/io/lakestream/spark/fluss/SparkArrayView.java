package io.lakestream.spark.fluss;

import io.lakestream.spark.types.LogicalType;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.Decimal;
import org.apache.fluss.row.InternalArray;
import org.apache.fluss.row.InternalMap;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.row.TimestampLtz;
import org.apache.fluss.row.TimestampNtz;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** A Fluss array that shows a Spark array without copying it. Not thread-safe. */
final class SparkArrayView implements InternalArray {
  private final ArrayData array;
  private final LogicalType elementType;

  SparkArrayView(ArrayData array, LogicalType elementType) {
    this.array = array;
    this.elementType = elementType;
  }

  @Override
  public int size() {
    return array.numElements();
  }

  @Override
  public boolean isNullAt(int ordinal) {
    return array.isNullAt(ordinal);
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
    return array.getLong(ordinal);
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
  public BinaryString getChar(int ordinal, int length) {
    return getString(ordinal);
  }

  @Override
  public BinaryString getString(int ordinal) {
    return BinaryString.fromBytes(array.getUTF8String(ordinal).getBytes());
  }

  @Override
  public Decimal getDecimal(int ordinal, int precision, int scale) {
    return Decimal.fromBigDecimal(
        array.getDecimal(ordinal, precision, scale).toJavaBigDecimal(), precision, scale);
  }

  @Override
  public TimestampNtz getTimestampNtz(int ordinal, int precision) {
    return TimestampNtz.fromMicros(array.getLong(ordinal));
  }

  @Override
  public TimestampLtz getTimestampLtz(int ordinal, int precision) {
    return TimestampLtz.fromEpochMicros(array.getLong(ordinal));
  }

  @Override
  public byte[] getBinary(int ordinal, int length) {
    return getBytes(ordinal);
  }

  @Override
  public byte[] getBytes(int ordinal) {
    return array.getBinary(ordinal);
  }

  @Override
  public InternalArray getArray(int ordinal) {
    return new SparkArrayView(array.getArray(ordinal), ((LogicalType.Array) elementType).element());
  }

  @Override
  public InternalMap getMap(int ordinal) {
    return new SparkMapView(array.getMap(ordinal), (LogicalType.Map) elementType);
  }

  @Override
  public InternalRow getRow(int ordinal, int fieldCount) {
    SparkRowView view = SparkRowView.of((LogicalType.Row) elementType);
    view.pointTo(array.getStruct(ordinal, fieldCount));
    return view;
  }

  @Override
  public boolean[] toBooleanArray() {
    return array.toBooleanArray();
  }

  @Override
  public byte[] toByteArray() {
    return array.toByteArray();
  }

  @Override
  public short[] toShortArray() {
    return array.toShortArray();
  }

  @Override
  public int[] toIntArray() {
    return array.toIntArray();
  }

  @Override
  public long[] toLongArray() {
    return array.toLongArray();
  }

  @Override
  public float[] toFloatArray() {
    return array.toFloatArray();
  }

  @Override
  public double[] toDoubleArray() {
    return array.toDoubleArray();
  }
}
