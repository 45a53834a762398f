package io.lakestream.spark.read;

import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.options.OptionResolver;
import io.lakestream.spark.read.columnar.TailMemory;
import io.lakestream.spark.read.columnar.UnionInputPartition;
import io.lakestream.spark.read.columnar.UnionReaderFactory;
import io.lakestream.spark.read.plan.PlanSettings;
import io.lakestream.spark.read.plan.UnionPlanner;
import io.lakestream.spark.read.plan.UnionSplit;
import io.lakestream.spark.snapshot.BucketTail;
import io.lakestream.spark.snapshot.UnionSnapshot;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The plan of a scan, made once. Two batches are equal if they read the same rows and columns in
 * the same way; Spark shares an exchange between plans whose batches are equal.
 */
final class UnionBatch implements Batch {
  /** The task limit of a scan without one. */
  static final int NO_LIMIT = Integer.MAX_VALUE;

  /** The least share that columns are taken to have, so that no file counts as nothing. */
  private static final double LEAST_FRACTION = 0.001;

  private final String cluster;
  private final LogTable table;
  private final FrozenTable frozen;
  private final StructType columns;
  private final PartitionFilters partitionFilters;
  private final PlanSettings settings;
  private final int batchSize;
  private final int taskLimit;
  private final TailMemory tailMemory;
  private List<LakeSlice> slices;
  private List<UnionSplit> splits;

  UnionBatch(
      ReadContext context,
      FrozenTable frozen,
      StructType columns,
      PartitionFilters partitionFilters,
      int taskLimit) {
    OptionResolver options = context.options();
    this.cluster = context.cluster().address();
    this.table = context.table();
    this.frozen = frozen;
    this.columns = columns;
    this.partitionFilters = partitionFilters;
    this.taskLimit = taskLimit;
    this.batchSize = options.get(LakestreamOptions.BATCH_SIZE).intValue();
    this.tailMemory =
        new TailMemory(
            options.get(LakestreamOptions.TAIL_MAX_ROWS),
            options.get(LakestreamOptions.TAIL_MEMORY));
    this.settings =
        new PlanSettings(
            options.get(LakestreamOptions.SPLIT_SIZE),
            SparkSession.active().sparkContext().defaultParallelism(),
            options.get(LakestreamOptions.FILE_OPEN_COST),
            options.get(LakestreamOptions.MAX_RECORDS_PER_PARTITION),
            projectedFraction(table.schema().toSpark(), columns));
  }

  private static double projectedFraction(StructType all, StructType wanted) {
    double fraction = (double) wanted.defaultSize() / Math.max(1, all.defaultSize());
    return Math.max(LEAST_FRACTION, Math.min(1, fraction));
  }

  StructType columns() {
    return columns;
  }

  PartitionFilters partitionFilters() {
    return partitionFilters;
  }

  /** The rows that are enough from each task, {@link #NO_LIMIT} if all are wanted. */
  int taskLimit() {
    return taskLimit;
  }

  private synchronized List<LakeSlice> slices() {
    if (slices == null) {
      slices = frozen.slices(partitionFilters);
    }
    return slices;
  }

  private synchronized List<UnionSplit> splits() {
    if (splits == null) {
      UnionPlanner planner = new UnionPlanner(settings);
      UnionSnapshot snapshot = frozen.snapshot();
      splits =
          table.hasPrimaryKey()
              ? planner.planPrimaryKeyTable(snapshot, slices(), partitionFilters)
              : planner.planLogTable(snapshot, slices(), partitionFilters);
    }
    return splits;
  }

  /**
   * The size of the wanted columns in both tiers; rows of the lake are not known without reading.
   */
  Statistics statistics() {
    long tailRows = 0;
    for (BucketTail tail : frozen.snapshot().tails()) {
      if (partitionFilters.test(tail.partition())) {
        tailRows += tail.mostRows();
      }
    }
    long lakeBytes = slices().stream().mapToLong(LakeSlice::length).sum();
    long bytes =
        (long) (lakeBytes * settings.projectedFraction()) + tailRows * columns.defaultSize();
    OptionalLong rows = frozen.lake() == null ? OptionalLong.of(tailRows) : OptionalLong.empty();
    return new Statistics() {
      @Override
      public OptionalLong sizeInBytes() {
        return OptionalLong.of(bytes);
      }

      @Override
      public OptionalLong numRows() {
        return rows;
      }
    };
  }

  @Override
  public InputPartition[] planInputPartitions() {
    return splits().stream().map(UnionInputPartition::new).toArray(InputPartition[]::new);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    StructType schema = table.schema().toSpark();
    List<StructField> keys = table.primaryKey().stream().map(schema::apply).toList();
    return new UnionReaderFactory(
        frozen.lakeReader(), frozen.log(), columns, keys, batchSize, taskLimit, tailMemory);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UnionBatch that
        && cluster.equals(that.cluster)
        && frozen.snapshot().equals(that.frozen.snapshot())
        && columns.equals(that.columns)
        && partitionFilters.equals(that.partitionFilters)
        && settings.equals(that.settings)
        && batchSize == that.batchSize
        && taskLimit == that.taskLimit
        && tailMemory.equals(that.tailMemory);
  }

  @Override
  public int hashCode() {
    return Objects.hash(cluster, frozen.snapshot(), columns, partitionFilters, settings, taskLimit);
  }
}
