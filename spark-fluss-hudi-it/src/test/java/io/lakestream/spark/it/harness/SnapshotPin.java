package io.lakestream.spark.it.harness;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;

/** The snapshot of a read as its scan tells it. */
public final class SnapshotPin {
  private static final String LABEL = "snapshot=";

  private SnapshotPin() {}

  /** The JSON of the snapshot that {@code read}, a read of one table, has. */
  public static String of(Dataset<Row> read) {
    List<BatchScanExec> scans = ScanMetrics.scans(read.queryExecution().executedPlan());
    if (scans.size() != 1) {
      throw new AssertionError("not one scan but " + scans.size());
    }
    String description = scans.get(0).scan().description();
    int start = description.indexOf(LABEL + "{");
    if (start < 0) {
      throw new AssertionError("no snapshot in the scan's description: " + description);
    }
    return firstObject(description.substring(start + LABEL.length()));
  }

  private static String firstObject(String text) {
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '{') {
        depth++;
      } else if (text.charAt(i) == '}' && --depth == 0) {
        return text.substring(0, i + 1);
      }
    }
    throw new AssertionError("the snapshot is not a JSON object: " + text);
  }
}
