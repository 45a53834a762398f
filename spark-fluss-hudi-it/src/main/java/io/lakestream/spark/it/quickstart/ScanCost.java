package io.lakestream.spark.it.quickstart;

import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import scala.collection.JavaConverters;

/**
 * What a query cost in its scans, from the metrics that the executed plan carries.
 *
 * @param rows rows read from the lake and records read from the log
 * @param lakeBytes bytes read from lake files
 * @param logBytes bytes fetched from the log
 * @param seconds the time of the whole query
 */
public record ScanCost(long rows, long lakeBytes, long logBytes, double seconds) {

  /** Runs the query. */
  public static ScanCost of(Dataset<Row> query) {
    long start = System.nanoTime();
    query.collectAsList();
    double seconds = (System.nanoTime() - start) / 1e9;
    SparkPlan plan = query.queryExecution().executedPlan();
    return new ScanCost(
        sum(plan, "lakeRows") + sum(plan, "logRows"),
        sum(plan, "lakeBytesRead"),
        sum(plan, "logBytesFetched"),
        seconds);
  }

  /** One line for people: bytes of each tier and rows per second. */
  public String describe() {
    return String.format(
        Locale.ROOT,
        "lake %,14d bytes   log %,14d bytes   %,10.0f rows/s",
        lakeBytes,
        logBytes,
        rows / seconds);
  }

  private static long sum(SparkPlan plan, String metric) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return sum(adaptive.executedPlan(), metric);
    }
    if (plan instanceof QueryStageExec stage) {
      return sum(stage.plan(), metric);
    }
    if (plan instanceof BatchScanExec scan) {
      if (!scan.metrics().contains(metric)) {
        throw new IllegalStateException("The scan has no metric " + metric + ": " + scan);
      }
      return scan.metrics().apply(metric).value();
    }
    List<SparkPlan> children = JavaConverters.seqAsJavaList(plan.children());
    return children.stream().mapToLong(child -> sum(child, metric)).sum();
  }
}
