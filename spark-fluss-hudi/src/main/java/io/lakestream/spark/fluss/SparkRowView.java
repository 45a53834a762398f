package io.lakestream.spark.fluss;

import io.lakestream.spark.types.LogicalType;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.Decimal;
import org.apache.fluss.row.InternalArray;
import org.apache.fluss.row.InternalMap;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.row.TimestampLtz;
import org.apache.fluss.row.TimestampNtz;

/**
 * A Fluss row that shows a Spark row without copying it, for Fluss's writers, which encode a row
 * before they return. One object serves row after row. Not thread-safe.
 */
final class SparkRowView implements InternalRow {
  private final LogicalType[] types;
  private org.apache.spark.sql.catalyst.InternalRow row;

  SparkRowView(LogicalType[] types) {
    this.types = types;
  }

  static SparkRowView of(LogicalType.Row type) {
    return new SparkRowView(
        type.fields().stream().map(LogicalType.Field::type).toArray(LogicalType[]::new));
  }

  void pointTo(org.apache.spark.sql.catalyst.InternalRow row) {
    this.row = row;
  }

  @Override
  public int getFieldCount() {
    return types.length;
  }

  /** A column that was added since the row was planned is null. */
  @Override
  public boolean isNullAt(int ordinal) {
    return ordinal >= types.length || row.isNullAt(ordinal);
  }

  @Override
  public boolean getBoolean(int ordinal) {
    return row.getBoolean(ordinal);
  }

  @Override
  public byte getByte(int ordinal) {
    return row.getByte(ordinal);
  }

  @Override
  public short getShort(int ordinal) {
    return row.getShort(ordinal);
  }

  @Override
  public int getInt(int ordinal) {
    return row.getInt(ordinal);
  }

  @Override
  public long getLong(int ordinal) {
    return row.getLong(ordinal);
  }

  @Override
  public float getFloat(int ordinal) {
    return row.getFloat(ordinal);
  }

  @Override
  public double getDouble(int ordinal) {
    return row.getDouble(ordinal);
  }

  @Override
  public BinaryString getChar(int ordinal, int length) {
    return getString(ordinal);
  }

  @Override
  public BinaryString getString(int ordinal) {
    return BinaryString.fromBytes(row.getUTF8String(ordinal).getBytes());
  }

  @Override
  public Decimal getDecimal(int ordinal, int precision, int scale) {
    return Decimal.fromBigDecimal(
        row.getDecimal(ordinal, precision, scale).toJavaBigDecimal(), precision, scale);
  }

  @Override
  public TimestampNtz getTimestampNtz(int ordinal, int precision) {
    return TimestampNtz.fromMicros(row.getLong(ordinal));
  }

  @Override
  public TimestampLtz getTimestampLtz(int ordinal, int precision) {
    return TimestampLtz.fromEpochMicros(row.getLong(ordinal));
  }

  @Override
  public byte[] getBinary(int ordinal, int length) {
    return getBytes(ordinal);
  }

  @Override
  public byte[] getBytes(int ordinal) {
    return row.getBinary(ordinal);
  }

  @Override
  public InternalArray getArray(int ordinal) {
    return new SparkArrayView(
        row.getArray(ordinal), ((LogicalType.Array) types[ordinal]).element());
  }

  @Override
  public InternalMap getMap(int ordinal) {
    return new SparkMapView(row.getMap(ordinal), (LogicalType.Map) types[ordinal]);
  }

  @Override
  public InternalRow getRow(int ordinal, int fieldCount) {
    SparkRowView view = SparkRowView.of((LogicalType.Row) types[ordinal]);
    view.pointTo(row.getStruct(ordinal, fieldCount));
    return view;
  }
}
