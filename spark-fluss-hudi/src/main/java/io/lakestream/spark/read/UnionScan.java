package io.lakestream.spark.read;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.read.columnar.ReadMetric;
import io.lakestream.spark.snapshot.SnapshotJson;
import io.lakestream.spark.snapshot.UnionSnapshot;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructType;

/**
 * One reference to a table in a query: a frozen snapshot, the wanted columns, the partition
 * filters, the limit. Asking it twice gives the same answer without asking Fluss or Hudi again.
 */
public final class UnionScan implements Scan, SupportsReportStatistics {
  private final ReadContext context;
  private final FrozenTable frozen;
  private final UnionBatch batch;

  UnionScan(
      ReadContext context,
      FrozenTable frozen,
      StructType columns,
      PartitionFilters partitionFilters,
      int taskLimit) {
    this.context = context;
    this.frozen = frozen;
    this.batch = new UnionBatch(context, frozen, columns, partitionFilters, taskLimit);
  }

  /** What this scan reads. */
  public UnionSnapshot snapshot() {
    return frozen.snapshot();
  }

  /** The snapshot as JSON, for the option {@code snapshot.pin} of a later read. */
  public String pin() {
    return SnapshotJson.write(frozen.snapshot());
  }

  @Override
  public StructType readSchema() {
    return batch.columns();
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return ColumnarSupportMode.SUPPORTED;
  }

  @Override
  public Batch toBatch() {
    return batch;
  }

  @Override
  public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
    throw LakestreamException.of(
        ErrorCode.UNSUPPORTED_OPERATION,
        context.table().path(),
        "streaming reads are not offered.",
        "Read in batches, each with the next 'snapshot.pin'.");
  }

  @Override
  public Statistics estimateStatistics() {
    return batch.statistics();
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return ReadMetric.all();
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    return new CustomTaskMetric[] {
      ReadMetric.value(ReadMetric.LostRows.NAME, frozen.snapshot().lostRows())
    };
  }

  @Override
  public String description() {
    UnionSnapshot snapshot = frozen.snapshot();
    return "lakestream "
        + snapshot.table()
        + " [lake="
        + snapshot.lakeInstant().orElse("none")
        + ", tail="
        + snapshot.tailLength()
        + " offsets in "
        + snapshot.tails().stream().filter(tail -> !tail.isEmpty()).count()
        + " buckets, keySnapshots="
        + snapshot.tails().stream().filter(tail -> tail.keySnapshot() != null).count()
        + ", mode="
        + (context.lakeOnly() ? "lake" : context.options().get(LakestreamOptions.READ_MODE))
        + ", columns="
        + batch.columns().length()
        + " of "
        + context.table().schema().columns().size()
        + ", partitionFilters="
        + batch.partitionFilters()
        + (batch.taskLimit() == UnionBatch.NO_LIMIT ? "" : ", taskLimit=" + batch.taskLimit())
        + "]";
  }
}
