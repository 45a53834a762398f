package io.lakestream.spark.it.quickstart;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder;
import org.apache.spark.sql.catalyst.encoders.RowEncoder;
import org.apache.spark.sql.types.StructType;

/** Turns a generator that can start at any part of its output into a data set, a task per part. */
final class PartitionedRows {
  private PartitionedRows() {}

  /** Generates one part; the rows are made one at a time while they are consumed. */
  @FunctionalInterface
  interface Generator extends Serializable {
    Iterator<Row> rows(int part);
  }

  static Dataset<Row> of(SparkSession spark, StructType schema, Parts parts, Generator generator) {
    List<Integer> numbers = IntStream.rangeClosed(parts.first(), parts.last()).boxed().toList();
    // Lenient: takes java.time values whatever spark.sql.datetime.java8API.enabled says.
    Encoder<Row> encoder = ExpressionEncoder.apply(RowEncoder.encoderFor(schema, true));
    return spark.createDataset(
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(numbers, numbers.size())
            .flatMap(generator::rows)
            .rdd(),
        encoder);
  }
}
