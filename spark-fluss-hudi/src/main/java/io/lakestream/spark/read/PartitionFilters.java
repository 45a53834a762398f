package io.lakestream.spark.read;

import io.lakestream.spark.types.PartitionKey;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.Predicate$;
import org.apache.spark.sql.types.StructType;

/**
 * The filters of a query that speak of partition columns alone, evaluated by Spark itself on typed
 * partition values. Equal for equal conditions.
 *
 * @param conditions bound to the partition columns by position
 */
record PartitionFilters(List<Expression> conditions) implements Predicate<PartitionKey> {

  /** No filter. */
  static final PartitionFilters NONE = new PartitionFilters(List.of());

  PartitionFilters {
    conditions = List.copyOf(conditions);
  }

  /** Picks the usable ones of a query's filters; all others are left to Spark. */
  static PartitionFilters of(
      org.apache.spark.sql.connector.expressions.filter.Predicate[] filters,
      StructType partitionSchema) {
    PredicateTranslator translator = new PredicateTranslator(partitionSchema);
    return new PartitionFilters(
        Arrays.stream(filters).map(translator::translate).flatMap(Optional::stream).toList());
  }

  /** Whether rows of the partition may satisfy the filters. */
  @Override
  public boolean test(PartitionKey partition) {
    GenericInternalRow row = new GenericInternalRow(partition.values().toArray());
    for (Expression condition : conditions) {
      if (!Predicate$.MODULE$.createInterpreted(condition).eval(row)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return conditions.stream().map(Expression::toString).toList().toString();
  }
}
