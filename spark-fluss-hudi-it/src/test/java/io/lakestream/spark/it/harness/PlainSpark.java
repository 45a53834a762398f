package io.lakestream.spark.it.harness;

import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** The answers of Spark alone, over rows that a test holds. */
public final class PlainSpark {
  private static final String VIEW = "rows_of_the_test";

  private PlainSpark() {}

  /** The answer to a query, in which {@code {t}} stands for the rows. */
  public static Answer answer(
      SparkSession session, String query, List<Row> rows, StructType columns) {
    session.createDataFrame(rows, columns).createOrReplaceTempView(VIEW);
    try {
      return Answer.of(session.sql(query.replace("{t}", VIEW)));
    } finally {
      session.catalog().dropTempView(VIEW);
    }
  }
}
