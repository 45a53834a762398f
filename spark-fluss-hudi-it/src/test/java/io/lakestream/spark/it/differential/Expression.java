package io.lakestream.spark.it.differential;

/**
 * A column, or something inside of one.
 *
 * @param sql its text, which names columns without their table
 * @param type the type of its value
 */
record Expression(String sql, ColumnType type) {
  boolean isScalar() {
    return type instanceof ScalarType;
  }

  ScalarType scalar() {
    return (ScalarType) type;
  }
}
