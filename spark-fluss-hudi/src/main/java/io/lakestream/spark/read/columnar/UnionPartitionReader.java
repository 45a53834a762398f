package io.lakestream.spark.read.columnar;

import io.lakestream.spark.types.BatchIterator;
import java.io.IOException;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Function0;

/** A split's batches as Spark wants them: none empty, with the task's metrics. */
final class UnionPartitionReader implements PartitionReader<ColumnarBatch> {
  private final BatchIterator batches;
  private final ReadCounters counters;
  private final Function0<Object> fileBytesRead =
      SparkHadoopUtil.get().getFSBytesReadOnThreadCallback();

  UnionPartitionReader(BatchIterator batches, ReadCounters counters) {
    this.batches = batches;
    this.counters = counters;
  }

  @Override
  public boolean next() throws IOException {
    while (batches.next()) {
      if (batches.get().numRows() > 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public ColumnarBatch get() {
    return batches.get();
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return ReadMetric.taskValues(counters, (Long) fileBytesRead.apply());
  }

  @Override
  public void close() throws IOException {
    batches.close();
  }
}
