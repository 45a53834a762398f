package io.lakestream.spark.read.columnar;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/** Keys of one column that fits a long: an open-addressing table without objects. */
final class LongKeyIndex implements LatestChangeIndex {
  private static final int INITIAL_SLOTS = 1024;
  private static final int FREE = -1;

  private enum Width {
    BYTE,
    SHORT,
    INT,
    LONG
  }

  private final Width width;
  private final int ordinal;
  private long[] keys = new long[INITIAL_SLOTS];
  private int[] numbers = new int[INITIAL_SLOTS];
  private int size;

  LongKeyIndex(DataType type, int ordinal) {
    this.width = widthOf(type);
    this.ordinal = ordinal;
    Arrays.fill(numbers, FREE);
  }

  static boolean holds(DataType type) {
    return widthOf(type) != null;
  }

  private static Width widthOf(DataType type) {
    if (type instanceof LongType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType) {
      return Width.LONG;
    } else if (type instanceof IntegerType || type instanceof DateType) {
      return Width.INT;
    } else if (type instanceof ShortType) {
      return Width.SHORT;
    } else if (type instanceof ByteType) {
      return Width.BYTE;
    }
    return null;
  }

  private long keyOf(InternalRow row) {
    return switch (width) {
      case BYTE -> row.getByte(ordinal);
      case SHORT -> row.getShort(ordinal);
      case INT -> row.getInt(ordinal);
      case LONG -> row.getLong(ordinal);
    };
  }

  @Override
  public int add(InternalRow row) {
    if (size * 2 >= keys.length) {
      grow();
    }
    long key = keyOf(row);
    int slot = slotOf(key);
    if (numbers[slot] == FREE) {
      keys[slot] = key;
      numbers[slot] = size++;
    }
    return numbers[slot];
  }

  @Override
  public int find(InternalRow row) {
    return numbers[slotOf(keyOf(row))];
  }

  /** The slot that holds the key, or the free one where it belongs. */
  private int slotOf(long key) {
    int mask = keys.length - 1;
    long mixed = key * 0x9E3779B97F4A7C15L;
    int slot = (int) (mixed >>> 32) & mask;
    while (numbers[slot] != FREE && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldNumbers = numbers;
    keys = new long[oldKeys.length * 2];
    numbers = new int[oldKeys.length * 2];
    Arrays.fill(numbers, FREE);
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldNumbers[i] != FREE) {
        int slot = slotOf(oldKeys[i]);
        keys[slot] = oldKeys[i];
        numbers[slot] = oldNumbers[i];
      }
    }
  }
}
