package io.lakestream.spark.it.quickstart;

import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Iterator;
import java.util.stream.StreamSupport;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * TPC-H ORDERS as a table that changes: batch 0 inserts every order, each later batch updates every
 * tenth order and deletes a few, which the next batch brings back. The same scale gives the same
 * changes. Immutable and thread-safe.
 */
public final class OrderHistory {
  private static final int UPDATED_ONE_IN = 10;
  private static final int DELETED_ONE_IN = 500;
  private static final String[] KEY = {"o_orderkey"};

  private final double scale;
  private final int partCount;

  /**
   * A history.
   *
   * @param scale the TPC-H scale factor; 1 gives 1.5 million orders
   * @param partCount into how many tasks the generation is cut; the rows do not depend on it
   */
  public OrderHistory(double scale, int partCount) {
    this.scale = scale;
    this.partCount = partCount;
  }

  /** The columns of ORDERS; {@code o_orderkey} is the key. */
  public static StructType schema() {
    return new StructType()
        .add("o_orderkey", DataTypes.LongType, false)
        .add("o_custkey", DataTypes.LongType)
        .add("o_orderstatus", DataTypes.StringType)
        .add("o_totalprice", DataTypes.createDecimalType(15, 2))
        .add("o_orderdate", DataTypes.DateType)
        .add("o_orderpriority", DataTypes.StringType)
        .add("o_clerk", DataTypes.StringType)
        .add("o_shippriority", DataTypes.IntegerType)
        .add("o_comment", DataTypes.StringType);
  }

  /** The rows that a batch writes: all orders in batch 0, the updated ones in a later batch. */
  public Dataset<Row> upserts(SparkSession spark, int batch) {
    double scale = this.scale;
    int partCount = this.partCount;
    return PartitionedRows.of(
        spark, schema(), Parts.all(partCount), part -> upserts(scale, part, partCount, batch));
  }

  /** The keys, column {@code o_orderkey}, that a batch deletes after its upserts. */
  public Dataset<Row> deletedKeys(SparkSession spark, int batch) {
    double scale = this.scale;
    int partCount = this.partCount;
    return PartitionedRows.of(
            spark, schema(), Parts.all(partCount), part -> deletes(scale, part, partCount, batch))
        .select("o_orderkey");
  }

  /**
   * The rows that are left after the batches 0 to {@code lastBatch}: per key its last change, if
   * that was not a delete. Computed by Spark from the changes alone.
   */
  public Dataset<Row> rowsAfter(SparkSession spark, int lastBatch) {
    Dataset<Row> rows = upserts(spark, 0);
    for (int batch = 1; batch <= lastBatch; batch++) {
      Dataset<Row> upserts = upserts(spark, batch);
      Dataset<Row> deletes = deletedKeys(spark, batch);
      rows =
          rows.join(upserts, KEY, "left_anti").unionByName(upserts).join(deletes, KEY, "left_anti");
    }
    return rows;
  }

  private static Iterator<Row> upserts(double scale, int part, int partCount, int batch) {
    return StreamSupport.stream(new OrderGenerator(scale, part, partCount).spliterator(), false)
        .filter(order -> batch == 0 || isUpdated(order, batch))
        .map(order -> row(order, batch))
        .iterator();
  }

  private static Iterator<Row> deletes(double scale, int part, int partCount, int batch) {
    return StreamSupport.stream(new OrderGenerator(scale, part, partCount).spliterator(), false)
        .filter(order -> batch > 0 && isDeleted(order, batch))
        .map(order -> row(order, batch))
        .iterator();
  }

  private static boolean isUpdated(Order order, int batch) {
    return order.getRowNumber() % UPDATED_ONE_IN == batch % UPDATED_ONE_IN;
  }

  /** Chosen so that the next batch's updates bring these keys back. */
  private static boolean isDeleted(Order order, int batch) {
    return order.getRowNumber() % DELETED_ONE_IN == (batch + 1) % DELETED_ONE_IN;
  }

  private static Row row(Order order, int batch) {
    return RowFactory.create(
        order.getOrderKey(),
        order.getCustomerKey(),
        batch == 0 ? String.valueOf(order.getOrderStatus()) : "F",
        BigDecimal.valueOf(order.getTotalPriceInCents() + batch, 2),
        LocalDate.ofEpochDay(order.getOrderDate()),
        order.getOrderPriority(),
        order.getClerk(),
        order.getShipPriority() + batch,
        order.getComment());
  }
}
