package org.apache.fluss.row.arrow.vectors;

import org.apache.fluss.row.TimestampNtz;
import org.apache.fluss.row.columnar.TimestampNtzColumnVector;
import org.apache.fluss.shaded.arrow.org.apache.arrow.vector.TimeStampVector;
import org.apache.fluss.shaded.arrow.org.apache.arrow.vector.ValueVector;
import org.apache.fluss.shaded.arrow.org.apache.arrow.vector.types.TimeUnit;
import org.apache.fluss.shaded.arrow.org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Timestamps without a zone of a log batch in Arrow format. It stands in the place of the class of
 * the same name in the Fluss client, up to 1.0.0 at least: that one divides towards zero, so that
 * it refuses every time before 1970 that has a fraction of a millisecond. Where the client's own
 * class is loaded first, such a value is an error, never a wrong value.
 */
public final class ArrowTimestampNtzColumnVector implements TimestampNtzColumnVector {
  private final TimeStampVector vector;
  private final TimeUnit unit;

  public ArrowTimestampNtzColumnVector(ValueVector vector) {
    this.vector = (TimeStampVector) vector;
    this.unit = ((ArrowType.Timestamp) vector.getField().getType()).getUnit();
  }

  @Override
  public TimestampNtz getTimestampNtz(int row, int precision) {
    long value = vector.get(row);
    return switch (unit) {
      case SECOND -> TimestampNtz.fromMillis(Math.multiplyExact(value, 1000L));
      case MILLISECOND -> TimestampNtz.fromMillis(value);
      case MICROSECOND -> fromParts(value, 1000, 1000);
      case NANOSECOND -> fromParts(value, 1_000_000, 1);
    };
  }

  /** The part below a millisecond counts forwards from the millisecond before. */
  private static TimestampNtz fromParts(long value, int partsPerMilli, int nanosPerPart) {
    return TimestampNtz.fromMillis(
        Math.floorDiv(value, partsPerMilli),
        (int) Math.floorMod(value, (long) partsPerMilli) * nanosPerPart);
  }

  @Override
  public boolean isNullAt(int row) {
    return vector.isNull(row);
  }
}
