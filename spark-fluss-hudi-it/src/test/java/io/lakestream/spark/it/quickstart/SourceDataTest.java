package io.lakestream.spark.it.quickstart;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The quick start's input: as many rows as TPC-H says, the same ones however they are cut. */
class SourceDataTest {
  private static final double SCALE = 0.002;

  private static SparkSession spark;
  private static boolean ownSession;

  @BeforeAll
  static void startSpark() {
    ownSession = SparkSession.getDefaultSession().isEmpty();
    spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate();
  }

  @AfterAll
  static void stopSpark() {
    if (ownSession) {
      spark.stop();
    }
  }

  @Test
  void hasThreeHundredColumnsOfManyTypes() {
    Map<String, Long> byType =
        Arrays.stream(ImpressionLog.schema().fields())
            .collect(groupingBy(field -> field.dataType().typeName(), counting()));
    assertThat(ImpressionLog.schema().fieldNames()).hasSize(300).doesNotHaveDuplicates();
    assertThat(byType)
        .containsKeys("integer", "long", "double", "float", "string", "date", "timestamp")
        .containsKeys("timestamp_ntz", "boolean", "decimal(12,2)", "decimal(14,4)");
  }

  @Test
  void givesOneImpressionPerLineItem() {
    Dataset<Row> log = ImpressionLog.rows(spark, SCALE, 1, 2, 2);
    // TPC-H's own count of LINEITEM rows for the 3,000 orders of this scale.
    assertThat(log.count()).isEqualTo(11957);
    assertThat(log.select("impression_id").distinct().count()).isEqualTo(11957);
    assertThat(log.select("session_id").distinct().count()).isEqualTo(3000);
  }

  @Test
  void givesTheSameImpressionsHoweverTheyAreCut() {
    Dataset<Row> whole = ImpressionLog.rows(spark, SCALE, 1, 1, 1);
    Dataset<Row> head = ImpressionLog.rows(spark, SCALE, 1, 3, 4);
    Dataset<Row> tail = ImpressionLog.rows(spark, SCALE, 4, 4, 4);
    assertThat(tail.count()).isPositive();
    assertThat(fingerprint(head.union(tail))).isEqualTo(fingerprint(whole));
  }

  @Test
  void leavesFeaturesOutOnSomeRowsAndFactsOnNone() {
    Dataset<Row> log = ImpressionLog.rows(spark, SCALE, 1, 1, 1);
    assertThat(log.where(col("rate_17").isNull()).count()).isBetween(1L, 11957L / 8);
    assertThat(log.where(col("event_time").isNull().or(col("revenue").isNull())).count()).isZero();
  }

  @Test
  void refusesPartsThatDoNotExist() {
    assertThatThrownBy(() -> ImpressionLog.rows(spark, SCALE, 3, 5, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("parts 3 to 5 are not among 1 to 4");
  }

  @Test
  void updatesAndDeletesOrdersInLaterBatches() {
    OrderHistory orders = new OrderHistory(SCALE, 2);
    assertThat(orders.upserts(spark, 0).count()).isEqualTo(3000);
    assertThat(orders.deletedKeys(spark, 0).count()).isZero();
    assertThat(orders.upserts(spark, 1).count()).isEqualTo(300);
    assertThat(orders.deletedKeys(spark, 1).count()).isEqualTo(6);
  }

  @Test
  void keepsTheLastChangeOfEachOrder() {
    OrderHistory orders = new OrderHistory(SCALE, 2);
    // Rows 1 and 2 of ORDERS have the keys 1 and 2; batch 1 updates row 1 and deletes row 2,
    // batch 2 brings row 2 back and deletes row 3.
    assertThat(marksOfTheFirstOrders(orders, 1)).isEqualTo("[[1,1], [3,0]]");
    assertThat(marksOfTheFirstOrders(orders, 2)).isEqualTo("[[1,1], [2,2]]");
    assertThat(orders.rowsAfter(spark, 1).count()).isEqualTo(2994);
    assertThat(orders.rowsAfter(spark, 2).count()).isEqualTo(2994);
  }

  private static String marksOfTheFirstOrders(OrderHistory orders, int lastBatch) {
    return orders
        .rowsAfter(spark, lastBatch)
        .where("o_orderkey IN (1, 2, 3)")
        .select("o_orderkey", "o_shippriority")
        .orderBy("o_orderkey")
        .collectAsList()
        .toString();
  }

  private static String fingerprint(Dataset<Row> rows) {
    return rows.selectExpr("count(*)", "sum(CAST(xxhash64(*) AS DECIMAL(38,0)))")
        .first()
        .toString();
  }
}
