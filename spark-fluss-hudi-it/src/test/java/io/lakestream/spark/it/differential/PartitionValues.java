package io.lakestream.spark.it.differential;

import java.time.LocalDate;
import java.util.List;

/** Values of partition columns; their text is what Fluss calls them. */
final class PartitionValues {
  static final List<ScalarType> TYPES =
      List.of(
          ScalarType.STRING,
          ScalarType.INT,
          ScalarType.BIGINT,
          ScalarType.SMALLINT,
          ScalarType.DATE,
          ScalarType.BOOLEAN);

  private PartitionValues() {}

  /** One of two values. */
  static Object of(ScalarType type, int number) {
    boolean first = number == 0;
    return switch (type) {
      case STRING -> first ? "a" : "B-1_x";
      case INT -> first ? 20_221_130 : -7;
      case BIGINT -> first ? 20_221_130L : -7L;
      case SMALLINT -> (short) (first ? 300 : -4);
      case DATE -> first ? LocalDate.of(2022, 11, 30) : LocalDate.of(1969, 12, 31);
      case BOOLEAN -> first;
      default -> throw new IllegalArgumentException(type + " is no type of partitions");
    };
  }
}
