package io.lakestream.spark.it.harness;

import io.lakestream.spark.read.UnionScan;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import scala.collection.JavaConverters;

/** The product's scan metrics as the executed plan of a query holds them. */
public final class ScanMetrics {
  public static final String LAKE_BYTES_READ = "lakeBytesRead";
  public static final String LOG_BYTES_FETCHED = "logBytesFetched";
  public static final String LOG_ROWS = "logRows";

  private final List<BatchScanExec> scans;

  private ScanMetrics(List<BatchScanExec> scans) {
    this.scans = scans;
  }

  /** Runs the query to its end and gives the metrics of all its scans, subqueries included. */
  public static ScanMetrics of(Dataset<Row> query) {
    query.collectAsList();
    return new ScanMetrics(scans(query.queryExecution().executedPlan()));
  }

  static List<BatchScanExec> scans(SparkPlan plan) {
    List<BatchScanExec> scans = new ArrayList<>();
    collect(plan, scans);
    return scans;
  }

  private static void collect(SparkPlan plan, List<BatchScanExec> scans) {
    if (plan instanceof BatchScanExec scan) {
      scans.add(scan);
    } else if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      collect(adaptive.executedPlan(), scans);
    } else if (plan instanceof QueryStageExec stage) {
      collect(stage.plan(), scans);
    }
    JavaConverters.seqAsJavaListConverter(plan.children())
        .asJava()
        .forEach(child -> collect(child, scans));
    JavaConverters.seqAsJavaListConverter(plan.subqueries())
        .asJava()
        .forEach(child -> collect(child, scans));
  }

  /** The product's scans in the plan of a query. */
  public static List<UnionScan> unionScans(Dataset<Row> query) {
    return scans(query.queryExecution().executedPlan()).stream()
        .map(scan -> (UnionScan) scan.scan())
        .toList();
  }

  /** How many scans the executed plan has. */
  public int scans() {
    return scans.size();
  }

  /**
   * The sum of one metric over all scans.
   *
   * @throws AssertionError if a scan does not have it
   */
  public long sum(String metric) {
    long sum = 0;
    for (BatchScanExec scan : scans) {
      if (!scan.metrics().contains(metric)) {
        Set<String> known =
            new TreeSet<>(JavaConverters.mapAsJavaMapConverter(scan.metrics()).asJava().keySet());
        throw new AssertionError("no metric " + metric + " among " + known);
      }
      sum += scan.metrics().apply(metric).value();
    }
    return sum;
  }
}
