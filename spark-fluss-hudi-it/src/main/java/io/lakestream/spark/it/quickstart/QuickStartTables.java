package io.lakestream.spark.it.quickstart;

import io.lakestream.spark.catalog.LakestreamTiering;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.GenericRow;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The quick start's two tables and every change that is made to them: the log table {@code
 * impressions} and the primary-key table {@code orders}, each with older rows in the lake and newer
 * ones in the log at the end.
 */
final class QuickStartTables {
  static final String CATALOG = "lake";
  static final String DATABASE = "shop";
  static final String IMPRESSIONS = CATALOG + "." + DATABASE + ".impressions";
  static final String ORDERS = CATALOG + "." + DATABASE + ".orders";

  private static final int PARTS = 8;
  private static final int TIERED_PARTS = 6;
  private static final int LAST_BATCH = 2;

  private final SparkSession spark;
  private final String bootstrapServers;
  private final double scale;
  private final OrderHistory orders;

  QuickStartTables(SparkSession spark, String bootstrapServers, double scale) {
    this.spark = spark;
    this.bootstrapServers = bootstrapServers;
    this.scale = scale;
    this.orders = new OrderHistory(scale, PARTS);
  }

  void create() {
    spark.sql("CREATE DATABASE " + CATALOG + "." + DATABASE);
    spark.sql(
        "CREATE TABLE "
            + IMPRESSIONS
            + " ("
            + ImpressionLog.schema().toDDL()
            + ") TBLPROPERTIES ('bucket.num'='2')");
    spark.sql(
        "CREATE TABLE "
            + ORDERS
            + " ("
            + OrderHistory.schema().toDDL()
            + ") TBLPROPERTIES ('primary.key'='o_orderkey', 'bucket.num'='2')");
  }

  /** Writes what will be in the lake's base files. */
  void writeFirstRows() throws Exception {
    ImpressionLog.rows(spark, scale, 1, TIERED_PARTS, PARTS).writeTo(IMPRESSIONS).append();
    writeOrders(0);
  }

  /** Writes changes to orders that will be in the lake's log files. */
  void writeMoreOrders() throws Exception {
    writeOrders(1);
  }

  /** Writes what stays in the log. */
  void writeLastRows() throws Exception {
    ImpressionLog.rows(spark, scale, TIERED_PARTS + 1, PARTS, PARTS).writeTo(IMPRESSIONS).append();
    writeOrders(LAST_BATCH);
  }

  void tierImpressions() {
    LakestreamTiering.tierOnce(spark, CATALOG, DATABASE + ".impressions");
  }

  void tierOrders() {
    LakestreamTiering.tierOnce(spark, CATALOG, DATABASE + ".orders");
  }

  /** The rows that the log table must have, computed from the input alone. */
  Dataset<Row> impressionsFromSource() {
    return ImpressionLog.rows(spark, scale, 1, PARTS, PARTS);
  }

  /** The rows that the primary-key table must have, computed from the input alone. */
  Dataset<Row> ordersFromSource() {
    return orders.rowsAfter(spark, LAST_BATCH);
  }

  private void writeOrders(int batch) throws Exception {
    orders.upserts(spark, batch).writeTo(ORDERS).append();
    if (batch > 0) {
      deleteOrders(orders.deletedKeys(spark, batch).collectAsList());
    }
  }

  /** Spark SQL offers no DELETE on these tables, so this is done as any Fluss application would. */
  private void deleteOrders(List<Row> keys) throws Exception {
    Configuration configuration = new Configuration();
    configuration.setString("bootstrap.servers", bootstrapServers);
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table table = connection.getTable(TablePath.of(DATABASE, "orders"))) {
      UpsertWriter writer = table.newUpsert().createWriter();
      List<CompletableFuture<?>> acknowledgements = new ArrayList<>();
      for (Row key : keys) {
        GenericRow row = new GenericRow(OrderHistory.schema().length());
        row.setField(0, key.getLong(0));
        acknowledgements.add(writer.delete(row));
      }
      writer.flush();
      // Flushing reports no error; each future does.
      CompletableFuture.allOf(acknowledgements.toArray(new CompletableFuture<?>[0])).get();
    }
  }
}
