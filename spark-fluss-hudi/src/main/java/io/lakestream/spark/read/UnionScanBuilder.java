package io.lakestream.spark.read;

import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Collects what Spark pushes down and freezes the table when the scan is built. Filters on
 * partition columns choose partitions; every filter also stays above the scan. So does a limit: it
 * only lets each task stop early, after merging. Spark pushes one down where no filter is above.
 */
public final class UnionScanBuilder
    implements ScanBuilder,
        SupportsPushDownRequiredColumns,
        SupportsPushDownV2Filters,
        SupportsPushDownLimit {
  private final ReadContext context;
  private StructType columns;
  private PartitionFilters partitionFilters = PartitionFilters.NONE;
  private int taskLimit = UnionBatch.NO_LIMIT;

  public UnionScanBuilder(ReadContext context) {
    this.context = context;
    this.columns = context.table().schema().toSpark();
  }

  @Override
  public void pruneColumns(StructType requiredSchema) {
    // Spark's notes on columns, such as their defaults, say nothing about how they are read.
    StructType wanted = new StructType();
    for (StructField field : requiredSchema.fields()) {
      wanted = wanted.add(field.name(), field.dataType(), field.nullable());
    }
    this.columns = wanted;
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    this.partitionFilters = PartitionFilters.of(predicates, context.table().partitionSchema());
    return predicates;
  }

  @Override
  public Predicate[] pushedPredicates() {
    return new Predicate[0];
  }

  @Override
  public boolean pushLimit(int limit) {
    this.taskLimit = limit;
    return true;
  }

  /** Every task may return so many rows. */
  @Override
  public boolean isPartiallyPushed() {
    return true;
  }

  @Override
  public Scan build() {
    return new UnionScan(
        context, TableFreezer.freeze(context), columns, partitionFilters, taskLimit);
  }
}
