package io.lakestream.spark.it.quickstart;

import io.trino.tpch.LineItem;
import org.apache.spark.sql.types.DataType;

/**
 * One column of the impression log.
 *
 * @param name the column's name
 * @param type its Spark type
 * @param value its value for a line item, a pure function; may give null
 */
record ImpressionColumn(String name, DataType type, Value value) {

  /** Computes a column's value. */
  @FunctionalInterface
  interface Value {
    Object of(LineItem item);
  }
}
