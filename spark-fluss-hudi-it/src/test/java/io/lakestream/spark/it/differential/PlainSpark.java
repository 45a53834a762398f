package io.lakestream.spark.it.differential;

import io.lakestream.spark.it.harness.Answer;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** The answers of Spark alone, over rows that a test holds. */
final class PlainSpark {
  private static final String VIEW = "differential_rows";

  private final SparkSession session;

  PlainSpark(SparkSession session) {
    this.session = session;
  }

  /** The answer to a query, as if it had no limit. */
  Answer answer(Query query, List<Row> rows, StructType columns) {
    session.createDataFrame(rows, columns).createOrReplaceTempView(VIEW);
    try {
      return Answer.of(session.sql(query.text().replace("{t}", VIEW)));
    } catch (Exception refused) {
      throw new InvalidQueryException(query, refused);
    } finally {
      session.catalog().dropTempView(VIEW);
    }
  }
}
