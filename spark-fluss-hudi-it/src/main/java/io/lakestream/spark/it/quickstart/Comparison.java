package io.lakestream.spark.it.quickstart;

import java.util.List;
import java.util.StringJoiner;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * One query, answered by the union read and by plain Spark over the source rows.
 *
 * @param query the SQL text, with {@code %s} in place of the table
 * @param union the rows of the union read
 * @param source the rows from the source
 */
record Comparison(String query, List<Row> union, List<Row> source) {

  /**
   * Runs the query twice. Its aggregates must be exact, so sums of floating-point numbers, whose
   * value depends on the order of the rows, have no place in it.
   */
  static Comparison of(SparkSession spark, String query, String table, Dataset<Row> source) {
    source.createOrReplaceTempView("source_rows");
    return new Comparison(
        query.formatted(table),
        spark.sql(query.formatted(table)).collectAsList(),
        spark.sql(query.formatted("source_rows")).collectAsList());
  }

  boolean agrees() {
    return union.equals(source);
  }

  String describe() {
    StringJoiner lines = new StringJoiner("\n  ", "  ", "");
    lines.add(query);
    if (agrees()) {
      union.forEach(row -> lines.add("  " + row));
      lines.add("= the same by plain Spark over the source rows");
    } else {
      union.forEach(row -> lines.add("  union  " + row));
      source.forEach(row -> lines.add("  source " + row));
      lines.add("! THE TWO DIFFER");
    }
    return lines.toString();
  }
}
