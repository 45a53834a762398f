package io.lakestream.spark.it.hostile;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/**
 * Holds a query at its first row: {@code gate(id)} in the query's text gives {@code id}, but the
 * first call waits until the gate is opened. Tasks run in this JVM.
 */
final class Gate {
  private static final long LIMIT_SECONDS = 120;

  private static volatile Gate current;

  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);

  private Gate() {}

  /** A gate for the next query. */
  static Gate next(SparkSession spark) {
    Gate gate = new Gate();
    current = gate;
    spark.udf().register("gate", (UDF1<Integer, Integer>) Gate::pass, DataTypes.IntegerType);
    return gate;
  }

  /**
   * The count and the sum of a table's rows, with the gate among those from an id on. If they are
   * in the log, the reader of the log is at work when the gate is reached.
   */
  static List<Row> sum(SparkSession spark, String table, int first) {
    return spark
        .sql("SELECT count(s), sum(IF(id < %d, id, gate(id))) FROM %s".formatted(first, table))
        .collectAsList();
  }

  private static Integer pass(Integer value) throws InterruptedException {
    Gate gate = current;
    gate.reached.countDown();
    if (!gate.opened.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("nobody opened the gate");
    }
    return value;
  }

  /** Waits until the query has come to a row. */
  void awaitReached() throws InterruptedException {
    if (!reached.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the query came to no row");
    }
  }

  void open() {
    opened.countDown();
  }
}
