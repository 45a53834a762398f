package io.lakestream.spark.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.collection.JavaConverters;

/**
 * Turns pushed predicates on some columns back into Spark's own expressions, which then evaluate
 * them by Spark's rules (NULL, NaN, every type). Literals keep their internal values. What is not
 * known here is not translated, and so not used: a filter that Spark evaluates again anyway.
 */
final class PredicateTranslator {
  private final StructType columns;

  PredicateTranslator(StructType columns) {
    this.columns = columns;
  }

  /** The predicate over rows of the columns, or empty if it says anything else. */
  Optional<org.apache.spark.sql.catalyst.expressions.Expression> translate(Predicate predicate) {
    Expression[] children = predicate.children();
    return switch (predicate.name()) {
      case "=" -> binary(children, EqualTo::new);
      case "<=>" -> binary(children, EqualNullSafe::new);
      case "<>" -> binary(children, EqualTo::new).map(Not::new);
      case "<" -> binary(children, LessThan::new);
      case "<=" -> binary(children, LessThanOrEqual::new);
      case ">" -> binary(children, GreaterThan::new);
      case ">=" -> binary(children, GreaterThanOrEqual::new);
      case "AND" -> binary(children, And::new);
      case "OR" -> binary(children, Or::new);
      case "NOT" -> operand(children[0]).map(Not::new);
      case "IS_NULL" -> operand(children[0]).map(IsNull::new);
      case "IS_NOT_NULL" -> operand(children[0]).map(IsNotNull::new);
      case "IN" -> in(children);
      default -> Optional.empty();
    };
  }

  private Optional<org.apache.spark.sql.catalyst.expressions.Expression> binary(
      Expression[] children,
      BiFunction<
              org.apache.spark.sql.catalyst.expressions.Expression,
              org.apache.spark.sql.catalyst.expressions.Expression,
              org.apache.spark.sql.catalyst.expressions.Expression>
          operator) {
    var left = operand(children[0]);
    var right = operand(children[1]);
    return left.isPresent() && right.isPresent()
        ? Optional.of(operator.apply(left.get(), right.get()))
        : Optional.empty();
  }

  private Optional<org.apache.spark.sql.catalyst.expressions.Expression> in(Expression[] children) {
    List<org.apache.spark.sql.catalyst.expressions.Expression> operands = new ArrayList<>();
    for (Expression child : children) {
      var operand = operand(child);
      if (operand.isEmpty()) {
        return Optional.empty();
      }
      operands.add(operand.get());
    }
    return Optional.of(
        new In(
            operands.get(0),
            JavaConverters.asScalaBufferConverter(operands.subList(1, operands.size()))
                .asScala()
                .toSeq()));
  }

  private Optional<org.apache.spark.sql.catalyst.expressions.Expression> operand(
      Expression operand) {
    if (operand instanceof Predicate predicate) {
      return translate(predicate);
    } else if (operand instanceof NamedReference reference) {
      return column(reference);
    } else if (operand instanceof org.apache.spark.sql.connector.expressions.Literal<?> literal) {
      return Optional.of(new Literal(literal.value(), literal.dataType()));
    }
    return Optional.empty();
  }

  private Optional<org.apache.spark.sql.catalyst.expressions.Expression> column(
      NamedReference reference) {
    String[] name = reference.fieldNames();
    int ordinal = name.length == 1 ? Arrays.asList(columns.fieldNames()).indexOf(name[0]) : -1;
    if (ordinal < 0) {
      return Optional.empty();
    }
    StructField field = columns.apply(ordinal);
    return Optional.of(new BoundReference(ordinal, field.dataType(), field.nullable()));
  }
}
