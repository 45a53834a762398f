package io.lakestream.spark.read;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.internal.connector.SupportsPushDownCatalystFilters;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/**
 * Collects what Spark pushes down and freezes the table when the scan is built. Filters come as
 * Catalyst expressions, not as connector predicates: those on partition columns are then evaluated
 * by Spark's own rules. Every filter also stays above the scan.
 */
public final class UnionScanBuilder
    implements ScanBuilder, SupportsPushDownRequiredColumns, SupportsPushDownCatalystFilters {
  private final ReadContext context;
  private StructType columns;
  private PartitionFilters partitionFilters = PartitionFilters.NONE;

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
  public Seq<Expression> pushFilters(Seq<Expression> filters) {
    List<Expression> all = JavaConverters.seqAsJavaListConverter(filters).asJava();
    this.partitionFilters = PartitionFilters.of(all, UnionScan.partitionSchema(context.table()));
    return filters;
  }

  @Override
  public Predicate[] pushedFilters() {
    return new Predicate[0];
  }

  @Override
  public Scan build() {
    return new UnionScan(context, TableFreezer.freeze(context), columns, partitionFilters);
  }
}
