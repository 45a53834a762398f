package io.lakestream.spark.it.harness;

import io.lakestream.spark.read.UnionScan;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;

/** The snapshot of a read as its scan tells it. */
public final class SnapshotPin {
  private SnapshotPin() {}

  /** The JSON of the snapshot that {@code read}, a read of one table, has. */
  public static String of(Dataset<Row> read) {
    List<BatchScanExec> scans = ScanMetrics.scans(read.queryExecution().executedPlan());
    if (scans.size() != 1) {
      throw new AssertionError("not one scan but " + scans.size());
    }
    return ((UnionScan) scans.get(0).scan()).pin();
  }
}
