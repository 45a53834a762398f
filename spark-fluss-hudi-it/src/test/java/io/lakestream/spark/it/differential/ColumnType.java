package io.lakestream.spark.it.differential;

import java.util.List;
import java.util.Random;

/** A type of a column or of a part of one, with values to draw from. */
interface ColumnType {
  /** The type as Fluss spells it. */
  String fluss();

  /** A value that is not null, of Spark's external type. */
  Object draw(Random random);

  /** Whether Spark can group by it and compare it. */
  boolean isComparable();

  /** The expression itself and what can be taken out of its value. */
  List<Expression> parts(String expression);

  /** A value that is null now and then. */
  default Object drawOrNull(Random random) {
    return random.nextInt(4) == 0 ? null : draw(random);
  }
}
