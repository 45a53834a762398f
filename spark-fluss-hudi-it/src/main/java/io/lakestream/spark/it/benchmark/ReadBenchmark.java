package io.lakestream.spark.it.benchmark;

import io.lakestream.spark.catalog.LakestreamTiering;
import io.lakestream.spark.it.quickstart.ImpressionLog;
import io.lakestream.spark.it.quickstart.ScanCost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Measures reads of a log table of 300 columns: five columns against all, from the log and from the
 * lake; then counting and a sum over the lake, against plain Spark Parquet on the same files in the
 * same run.
 *
 * <p>System property: {@code scale}, the TPC-H scale factor of the input, default 0.03.
 */
public final class ReadBenchmark {
  private static final String TABLE = "lake.bench.impressions";
  private static final String LAKE = "lake.bench.`impressions$lake`";
  private static final String FIVE =
      "SELECT sum(pmod(xxhash64(channel, clicked, revenue, rate_01, tag_01), 1000)) FROM %s";
  private static final String ALL = "SELECT sum(pmod(xxhash64(*), 1000)) FROM %s";
  private static final String COUNT = "SELECT count(*) FROM %s";
  private static final String TWO = "SELECT sum(revenue), sum(rate_01) FROM %s";
  private static final int WARM_UPS = 3;
  private static final int ROUNDS = 7;

  private ReadBenchmark() {}

  /** Runs the benchmark; takes no arguments. */
  public static void main(String[] arguments) throws Exception {
    double scale = Double.parseDouble(System.getProperty("scale", "0.03"));
    try (Bench bench = Bench.start("lakestream read benchmark")) {
      run(bench.spark(), scale, bench.directory());
    }
    System.exit(0);
  }

  private static void run(SparkSession spark, double scale, Path directory) throws IOException {
    spark.sql("CREATE DATABASE lake.bench");
    spark.createDataFrame(List.<Row>of(), ImpressionLog.schema()).createOrReplaceTempView("shape");
    spark.sql(
        "CREATE TABLE "
            + TABLE
            + " TBLPROPERTIES ('bucket.num'='2') AS SELECT * FROM shape WHERE false");
    Dataset<Row> rows = ImpressionLog.rows(spark, scale, 1, 4, 4);
    long start = System.nanoTime();
    append(rows);
    System.out.printf("append to the log: %.1f s%n", (System.nanoTime() - start) / 1e9);
    long count = spark.sql(COUNT.formatted(TABLE)).first().getLong(0);
    System.out.printf("rows: %,d of %d columns%n", count, ImpressionLog.schema().length());
    costs(spark, "tail", TABLE);
    start = System.nanoTime();
    LakestreamTiering.tierOnce(spark, "lake", "bench.impressions");
    System.out.printf("tiering round: %.1f s%n", (System.nanoTime() - start) / 1e9);
    costs(spark, "lake", LAKE);
    againstParquet(spark, directory);
  }

  private static void append(Dataset<Row> rows) {
    try {
      rows.writeTo(TABLE).append();
    } catch (org.apache.spark.sql.catalyst.analysis.NoSuchTableException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void costs(SparkSession spark, String tier, String table) {
    for (int warmUp = 0; warmUp < WARM_UPS; warmUp++) {
      ScanCost.of(spark.sql(FIVE.formatted(table)));
    }
    System.out.println(
        tier + ",   5 of 300: " + ScanCost.of(spark.sql(FIVE.formatted(table))).describe());
    ScanCost.of(spark.sql(ALL.formatted(table)));
    System.out.println(
        tier + ", 300 of 300: " + ScanCost.of(spark.sql(ALL.formatted(table))).describe());
  }

  private static void againstParquet(SparkSession spark, Path directory) throws IOException {
    String[] files;
    try (Stream<Path> all = Files.walk(directory.resolve("lake").resolve("bench"))) {
      files =
          all.filter(file -> file.toString().endsWith(".parquet"))
              .filter(file -> !file.toString().contains("/.hoodie/"))
              .map(Path::toString)
              .toArray(String[]::new);
    }
    spark.read().parquet(files).createOrReplaceTempView("plain");
    for (String query : List.of(COUNT, TWO, FIVE)) {
      Row ours = spark.sql(query.formatted(LAKE)).first();
      Row theirs = spark.sql(query.formatted("plain")).first();
      if (!ours.equals(theirs)) {
        throw new IllegalStateException("the two answers differ: " + ours + ", " + theirs);
      }
      System.out.println(
          new Contest(query.formatted("…"), WARM_UPS, ROUNDS)
              .way("plain Spark Parquet", () -> spark.sql(query.formatted("plain")).collect())
              .way("lakestream, lake only", () -> spark.sql(query.formatted(LAKE)).collect())
              .way("lakestream, lake and log", () -> spark.sql(query.formatted(TABLE)).collect())
              .run());
    }
  }
}
