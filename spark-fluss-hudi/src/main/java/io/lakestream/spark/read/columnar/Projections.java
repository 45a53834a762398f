package io.lakestream.spark.read.columnar;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.collection.JavaConverters;

/** Makes unsafe rows of some columns of other rows. */
final class Projections {
  private Projections() {}

  /** A projection to the given columns; its result is reused, copy it to keep it. */
  static UnsafeProjection of(StructType schema, int[] ordinals) {
    List<Expression> references = new ArrayList<>();
    for (int ordinal : ordinals) {
      StructField field = schema.apply(ordinal);
      references.add(new BoundReference(ordinal, field.dataType(), field.nullable()));
    }
    return UnsafeProjection.create(
        JavaConverters.asScalaBufferConverter(references).asScala().toSeq());
  }

  /** Ordinals 0 to count - 1. */
  static int[] first(int count) {
    int[] ordinals = new int[count];
    for (int i = 0; i < count; i++) {
      ordinals[i] = i;
    }
    return ordinals;
  }
}
