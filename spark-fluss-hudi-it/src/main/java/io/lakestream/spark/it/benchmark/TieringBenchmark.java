package io.lakestream.spark.it.benchmark;

import io.lakestream.spark.catalog.LakestreamTiering;
import io.lakestream.spark.tiering.RoundResult;
import io.lakestream.spark.tiering.RoundStep;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.storage.StorageLevel;

/**
 * Measures tiering rounds of a log table and of a primary-key table, each of 20 columns, against
 * Hudi's own DataFrame writer and a plain Parquet write of the same rows, which those two have in
 * memory and a round has to fetch from the log. All with zstd and the same parallelism, in turn, in
 * one run. Then whether a round costs more as the table grows.
 *
 * <p>System properties: {@code rows} per round, default 300000; {@code rounds} of growth, default
 * 50.
 */
public final class TieringBenchmark {
  private static final int ROWS = Integer.getInteger("rows", 300_000);
  private static final int GROWTH = Integer.getInteger("rounds", 50);
  private static final int GROWTH_ROWS = 5_000;
  private static final int SAMPLE = 5;
  private static final int BUCKETS = 2;
  private static final int WARM_UPS = 2;
  private static final int ROUNDS = 5;

  private final SparkSession spark;
  private final Path directory;
  private final List<RoundResult> results = new ArrayList<>();

  private TieringBenchmark(SparkSession spark, Path directory) {
    this.spark = spark;
    this.directory = directory;
  }

  /** Runs the benchmark; takes no arguments. */
  public static void main(String[] arguments) throws IOException {
    try (Bench bench = Bench.start("lakestream tiering benchmark")) {
      TieringBenchmark benchmark = new TieringBenchmark(bench.spark(), bench.directory());
      bench.spark().sql("CREATE DATABASE lake.bench");
      benchmark.logTable();
      benchmark.primaryKeyTable();
      for (boolean kept : List.of(false, true)) {
        benchmark.growth("log", "", kept);
        benchmark.growth("keyed", ", 'primary.key'='id'", kept);
      }
    }
    System.exit(0);
  }

  private void logTable() {
    Dataset<Row> rows = rows(0, ROWS).persist(StorageLevel.MEMORY_ONLY());
    create("events", "");
    System.out.println(
        new Contest(ROWS + " rows x 20 columns, log table", WARM_UPS, ROUNDS)
            .way("Hudi bulk_insert", () -> hudi(rows, "events", "bulk_insert", "COPY_ON_WRITE"))
            .way("plain Parquet", () -> parquet(rows))
            .way("lakestream round", () -> append("events", rows), () -> tier("events"))
            .run());
    System.out.println(steps());
    rows.unpersist();
  }

  private void primaryKeyTable() {
    Dataset<Row> rows = rows(0, ROWS).persist(StorageLevel.MEMORY_ONLY());
    create("keyed", ", 'primary.key'='id'");
    System.out.println(
        new Contest(ROWS + " upserts x 20 columns, primary-key table", WARM_UPS, ROUNDS)
            .way("Hudi upsert", () -> hudi(rows, "keyed", "upsert", "MERGE_ON_READ"))
            .way("plain Parquet", () -> parquet(rows))
            .way("lakestream round", () -> append("keyed", rows), () -> tier("keyed"))
            .run());
    System.out.println(steps());
    rows.unpersist();
  }

  /**
   * Many small rounds of one table; the first ones against the last ones.
   *
   * @param kept whether the table is compacted or clustered, and cleaned, every few rounds; only
   *     the rounds are timed
   */
  private void growth(String kind, String properties, boolean kept) {
    String table = "grow_" + kind + (kept ? "_kept" : "");
    create(table, properties);
    List<Double> seconds = new ArrayList<>();
    for (int round = 0; round < GROWTH; round++) {
      append(table, rows((long) round * GROWTH_ROWS, GROWTH_ROWS));
      long start = System.nanoTime();
      tier(table);
      seconds.add((System.nanoTime() - start) / 1e9);
      if (kept && round % SAMPLE == SAMPLE - 1) {
        keepHouse(table);
      }
    }
    double early = median(seconds.subList(SAMPLE, 2 * SAMPLE));
    double late = median(seconds.subList(GROWTH - SAMPLE, GROWTH));
    System.out.printf(
        Locale.ROOT,
        "%s, %d rows a round: rounds %d to %d median %.3f s, rounds %d to %d median %.3f s, ratio"
            + " %.2f%n%s%n",
        table,
        GROWTH_ROWS,
        SAMPLE + 1,
        2 * SAMPLE,
        early,
        GROWTH - SAMPLE + 1,
        GROWTH,
        late,
        late / early,
        steps());
  }

  private void keepHouse(String table) {
    String name = "bench." + table;
    LakestreamTiering.compact(spark, "lake", name);
    LakestreamTiering.cluster(spark, "lake", name);
    LakestreamTiering.clean(spark, "lake", name);
  }

  private static double median(List<Double> seconds) {
    return seconds.stream().sorted().skip(seconds.size() / 2).findFirst().orElseThrow();
  }

  private Dataset<Row> rows(long first, int count) {
    List<String> columns = new ArrayList<>(List.of("id"));
    for (int i = 0; i < 6; i++) {
      columns.add("cast(hash(id, " + i + ") as bigint) as n" + i);
      columns.add("rand(" + i + ") as d" + i);
    }
    for (int i = 0; i < 5; i++) {
      columns.add("concat('value ', pmod(hash(id, " + i + "), 1000)) as s" + i);
    }
    columns.add("cast(pmod(id, 100000) / 7 as decimal(12,2)) as amount");
    columns.add("date_add(date'2026-01-01', cast(pmod(id, 300) as int)) as day");
    return spark.range(first, first + count, 1, BUCKETS).selectExpr(columns.toArray(String[]::new));
  }

  private void create(String table, String properties) {
    rows(0, 0).createOrReplaceTempView("shape");
    String columns =
        Arrays.stream(rows(0, 0).schema().fields())
            .map(
                field ->
                    field.name()
                        + " "
                        + field.dataType().sql()
                        + (field.name().equals("id") ? " NOT NULL" : ""))
            .collect(Collectors.joining(", "));
    spark.sql(
        "CREATE TABLE lake.bench."
            + table
            + " ("
            + columns
            + ") TBLPROPERTIES ('bucket.num'='"
            + BUCKETS
            + "', 'bucket.key'='id'"
            + properties
            + ")");
  }

  private void append(String table, Dataset<Row> rows) {
    try {
      rows.writeTo("lake.bench." + table).append();
    } catch (NoSuchTableException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private void tier(String table) {
    results.add(LakestreamTiering.tierOnce(spark, "lake", "bench." + table));
  }

  private void parquet(Dataset<Row> rows) {
    rows.write()
        .option("compression", "zstd")
        .mode(SaveMode.Append)
        .parquet(directory.resolve("plain").toString());
  }

  private void hudi(Dataset<Row> rows, String table, String operation, String type) {
    rows.write()
        .format("hudi")
        .option("hoodie.table.name", table)
        .option("hoodie.datasource.write.table.type", type)
        .option("hoodie.datasource.write.operation", operation)
        .option("hoodie.datasource.write.recordkey.field", "id")
        .option("hoodie.datasource.write.partitionpath.field", "")
        .option("hoodie.index.type", "BUCKET")
        .option("hoodie.bucket.index.num.buckets", Integer.toString(BUCKETS))
        .option("hoodie.parquet.compression.codec", "zstd")
        .option("hoodie.bulkinsert.shuffle.parallelism", Integer.toString(BUCKETS))
        .option("hoodie.upsert.shuffle.parallelism", Integer.toString(BUCKETS))
        .option("hoodie.clean.automatic", "false")
        .option("hoodie.archive.automatic", "false")
        .option("hoodie.compact.inline", "false")
        .mode(SaveMode.Append)
        .save(directory.resolve("hudi").resolve(table).toString());
  }

  /** The last round, step by step. */
  private String steps() {
    RoundResult last = results.get(results.size() - 1);
    return Arrays.stream(RoundStep.values())
        .filter(last.durations()::containsKey)
        .map(
            step ->
                step.name().toLowerCase(Locale.ROOT)
                    + " "
                    + last.durations().get(step).toMillis()
                    + " ms")
        .collect(Collectors.joining(", ", "  last round: ", ""));
  }
}
