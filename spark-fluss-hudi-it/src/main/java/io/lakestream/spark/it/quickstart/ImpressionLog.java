package io.lakestream.spark.it.quickstart;

import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import java.util.Iterator;
import java.util.stream.StreamSupport;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * A wide impression log: one row of 300 columns per TPC-H line item. The same scale gives the same
 * rows, whatever the number of parts. Stateless and thread-safe.
 */
public final class ImpressionLog {
  private ImpressionLog() {}

  /** The 300 columns; all but the first 20 may be null. */
  public static StructType schema() {
    StructType schema = new StructType();
    for (ImpressionColumn column : ImpressionColumns.ALL) {
      schema = schema.add(column.name(), column.type());
    }
    return schema;
  }

  /**
   * The impressions of the parts {@code firstPart} to {@code lastPart} out of {@code partCount},
   * generated in tasks, one part each.
   *
   * @param scale the TPC-H scale factor; 1 gives about 6 million rows
   */
  public static Dataset<Row> rows(
      SparkSession spark, double scale, int firstPart, int lastPart, int partCount) {
    Parts parts = new Parts(firstPart, lastPart, partCount);
    return PartitionedRows.of(spark, schema(), parts, part -> generate(scale, part, parts.count()));
  }

  private static Iterator<Row> generate(double scale, int part, int partCount) {
    LineItemGenerator items = new LineItemGenerator(scale, part, partCount);
    return StreamSupport.stream(items.spliterator(), false).map(ImpressionLog::row).iterator();
  }

  private static Row row(LineItem item) {
    Object[] values = new Object[ImpressionColumns.ALL.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = ImpressionColumns.ALL.get(i).value().of(item);
    }
    return RowFactory.create(values);
  }
}
