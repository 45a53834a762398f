package io.lakestream.spark.it.harness;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;

/**
 * A way to run a query that must not change its answer.
 *
 * @param entryPoint how the query names its tables
 * @param codegen whether Spark compiles stages and expressions, or interprets them
 * @param adaptive whether Spark plans anew while the query runs
 * @param vectorized whether batches are large and Spark's own vectorized reading is on, or batches
 *     are of three rows and it is off
 */
public record Execution(
    EntryPoint entryPoint, boolean codegen, boolean adaptive, boolean vectorized) {

  /** All values of each part with all values of each other part, in eight ways. */
  public static final List<Execution> PAIRWISE =
      IntStream.range(0, 8).mapToObj(Execution::numbered).toList();

  private static final int TINY_BATCH = 3;

  /**
   * The ways of a placement are such that over all placements and both entry points each pair of
   * values, the placement being one, occurs: an orthogonal array of strength two.
   */
  static Execution of(Placement placement, EntryPoint entryPoint) {
    if (entryPoint == EntryPoint.LAKE_ONLY) {
      return new Execution(entryPoint, true, true, true);
    }
    return numbered(placement.ordinal() * 2 + (entryPoint == EntryPoint.FORMAT ? 1 : 0));
  }

  private static Execution numbered(int number) {
    boolean first = (number & 4) != 0;
    boolean second = (number & 2) != 0;
    boolean third = (number & 1) != 0;
    return new Execution(
        third ? EntryPoint.FORMAT : EntryPoint.CATALOG,
        first == third,
        second == third,
        first ^ second == third);
  }

  /** The way that has none of this one's values. */
  public Execution opposite() {
    return new Execution(
        entryPoint == EntryPoint.CATALOG ? EntryPoint.FORMAT : EntryPoint.CATALOG,
        !codegen,
        !adaptive,
        !vectorized);
  }

  /** Runs {@code body} in this way. */
  public <T> T call(SparkSession session, Callable<T> body) throws Exception {
    return new SessionSettings(settings()).call(session, body);
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.sql.adaptive.enabled", Boolean.toString(adaptive));
    settings.put("spark.sql.codegen.wholeStage", Boolean.toString(codegen));
    settings.put("spark.sql.codegen.factoryMode", codegen ? "FALLBACK" : "NO_CODEGEN");
    settings.put("spark.sql.parquet.enableVectorizedReader", Boolean.toString(vectorized));
    if (!vectorized) {
      settings.put("spark.sql.parquet.columnarReaderBatchSize", Integer.toString(TINY_BATCH));
      settings.put("spark.sql.lakestream.batch-size", Integer.toString(TINY_BATCH));
    }
    return settings;
  }
}
