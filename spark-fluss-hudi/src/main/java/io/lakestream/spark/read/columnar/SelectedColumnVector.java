package io.lakestream.spark.read.columnar;

import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Some rows of another vector, without a copy: row {@code i} is row {@code selection[i]} of the
 * other one. It does not own the other vector and never closes it. Struct children are selected
 * alike, because Spark asks a struct's children by the row number of the struct.
 */
final class SelectedColumnVector extends ColumnVector {
  private final ColumnVector source;
  private final SelectedColumnVector[] children;
  private int[] selection;

  SelectedColumnVector(ColumnVector source) {
    super(source.dataType());
    this.source = source;
    int count = type instanceof StructType struct ? struct.length() : 0;
    this.children = new SelectedColumnVector[count];
    for (int i = 0; i < count; i++) {
      children[i] = new SelectedColumnVector(source.getChild(i));
    }
  }

  /** Sets which rows are seen; the array is kept, not copied. */
  void select(int[] selection) {
    this.selection = selection;
    for (SelectedColumnVector child : children) {
      child.select(selection);
    }
  }

  ColumnVector source() {
    return source;
  }

  @Override
  public void close() {}

  @Override
  public void closeIfFreeable() {}

  @Override
  public boolean hasNull() {
    return source.hasNull();
  }

  @Override
  public int numNulls() {
    return source.numNulls();
  }

  @Override
  public boolean isNullAt(int row) {
    return source.isNullAt(selection[row]);
  }

  @Override
  public boolean getBoolean(int row) {
    return source.getBoolean(selection[row]);
  }

  @Override
  public byte getByte(int row) {
    return source.getByte(selection[row]);
  }

  @Override
  public short getShort(int row) {
    return source.getShort(selection[row]);
  }

  @Override
  public int getInt(int row) {
    return source.getInt(selection[row]);
  }

  @Override
  public long getLong(int row) {
    return source.getLong(selection[row]);
  }

  @Override
  public float getFloat(int row) {
    return source.getFloat(selection[row]);
  }

  @Override
  public double getDouble(int row) {
    return source.getDouble(selection[row]);
  }

  @Override
  public ColumnarArray getArray(int row) {
    return source.getArray(selection[row]);
  }

  @Override
  public ColumnarMap getMap(int row) {
    return source.getMap(selection[row]);
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    return source.getDecimal(selection[row], precision, scale);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    return source.getUTF8String(selection[row]);
  }

  @Override
  public byte[] getBinary(int row) {
    return source.getBinary(selection[row]);
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    return children[ordinal];
  }
}
