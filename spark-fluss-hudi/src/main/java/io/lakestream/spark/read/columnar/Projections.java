package io.lakestream.spark.read.columnar;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
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

  /** A projection to all columns; its result is reused, copy it to keep it. */
  static UnsafeProjection all(StructType schema) {
    return of(schema, first(schema.length()));
  }

  /** A projection to all columns of which only the given ones are taken over; others are null. */
  static UnsafeProjection only(StructType schema, int[] ordinals) {
    List<Expression> columns = new ArrayList<>();
    for (StructField field : schema.fields()) {
      columns.add(new Literal(null, field.dataType()));
    }
    for (int ordinal : ordinals) {
      StructField field = schema.apply(ordinal);
      columns.set(ordinal, new BoundReference(ordinal, field.dataType(), field.nullable()));
    }
    return UnsafeProjection.create(
        JavaConverters.asScalaBufferConverter(columns).asScala().toSeq());
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
