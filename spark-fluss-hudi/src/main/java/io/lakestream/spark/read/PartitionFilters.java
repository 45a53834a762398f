package io.lakestream.spark.read;

import io.lakestream.spark.types.PartitionKey;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.Predicate$;
import org.apache.spark.sql.types.StructType;
import scala.collection.JavaConverters;
import scala.runtime.AbstractPartialFunction;

/**
 * The filters of a query that speak of partition columns alone, evaluated by Spark itself on typed
 * partition values. Equal for equal conditions, whatever ids Spark gave the columns.
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
  static PartitionFilters of(List<Expression> filters, StructType partitionSchema) {
    List<String> names = List.of(partitionSchema.fieldNames());
    return new PartitionFilters(
        filters.stream()
            .filter(filter -> filter.deterministic() && speaksOnlyOf(filter, names))
            .map(filter -> bind(filter, names))
            .toList());
  }

  private static boolean speaksOnlyOf(Expression filter, List<String> names) {
    var references = JavaConverters.asJavaCollectionConverter(filter.references().toSeq());
    return !filter.references().isEmpty()
        && references.asJavaCollection().stream().allMatch(a -> names.contains(a.name()));
  }

  private static Expression bind(Expression filter, List<String> names) {
    return filter.transform(
        new AbstractPartialFunction<Expression, Expression>() {
          @Override
          public boolean isDefinedAt(Expression expression) {
            return expression instanceof AttributeReference;
          }

          @Override
          public Expression apply(Expression expression) {
            AttributeReference column = (AttributeReference) expression;
            return new BoundReference(
                names.indexOf(column.name()), column.dataType(), column.nullable());
          }
        });
  }

  /** Whether rows of the partition may satisfy the filters. */
  @Override
  public boolean test(PartitionKey partition) {
    GenericInternalRow row = new GenericInternalRow(partition.values().toArray());
    for (Expression condition : conditions) {
      BasePredicate predicate = Predicate$.MODULE$.createInterpreted(condition);
      if (!predicate.eval(row)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return conditions.stream().map(Expression::sql).toList().toString();
  }
}
