package io.lakestream.spark.it.differential;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Draws filters, whose literals the columns often meet. */
final class RandomPredicates {
  private static final List<String> COMPARISONS = List.of("=", "<>", "<", "<=", ">", ">=", "<=>");
  private static final List<String> NUMBERS =
      List.of("0", "1", "-1", "7", "250", "0.0", "1.5", "1.005", "-0.001", "99999999999", "1e3");
  private static final List<String> PATTERNS =
      List.of("a%", "%b", "a_", "%", "", "Ä%", "%:%", "ab%", "a\\\\%%");

  private final Random random;
  private final TableShape shape;

  RandomPredicates(Random random, TableShape shape) {
    this.random = random;
    this.shape = shape;
  }

  /** A condition on some of the expressions. */
  String draw(List<Expression> expressions) {
    return draw(expressions, 2);
  }

  private String draw(List<Expression> expressions, int depth) {
    if (depth > 0 && random.nextInt(5) < 2) {
      String left = draw(expressions, depth - 1);
      return switch (random.nextInt(3)) {
        case 0 -> "(" + left + " AND " + draw(expressions, depth - 1) + ")";
        case 1 -> "(" + left + " OR " + draw(expressions, depth - 1) + ")";
        default -> "NOT (" + left + ")";
      };
    }
    Expression expression = pick(expressions);
    if (random.nextInt(6) == 0 || !expression.isScalar()) {
      return expression.sql() + (random.nextBoolean() ? " IS NULL" : " IS NOT NULL");
    }
    return comparison(expression);
  }

  private String comparison(Expression expression) {
    String sql = expression.sql();
    ScalarType type = expression.scalar();
    if (type == ScalarType.BOOLEAN && random.nextBoolean()) {
      return random.nextBoolean() ? sql : "NOT " + sql;
    }
    if (type == ScalarType.STRING && random.nextBoolean()) {
      return sql + " LIKE '" + PATTERNS.get(random.nextInt(PATTERNS.size())) + "'";
    }
    switch (random.nextInt(4)) {
      case 0 -> {
        return sql + (random.nextBoolean() ? " IN (" : " NOT IN (") + list(expression) + ")";
      }
      case 1 -> {
        return sql + " BETWEEN " + literal(expression) + " AND " + literal(expression);
      }
      default -> {
        String operator = COMPARISONS.get(random.nextInt(COMPARISONS.size()));
        String operand =
            type.hasExactSum() && random.nextInt(3) == 0
                ? NUMBERS.get(random.nextInt(NUMBERS.size()))
                : literal(expression);
        return random.nextInt(8) == 0
            ? operand + " " + operator + " " + sql
            : sql + " " + operator + " " + operand;
      }
    }
  }

  /** Some literals, of which one may be NULL. */
  String list(Expression expression) {
    List<String> literals =
        new ArrayList<>(
            Stream.generate(() -> literal(expression)).limit(1 + random.nextInt(4)).toList());
    if (random.nextInt(3) == 0) {
      literals.add("NULL");
    }
    return literals.stream().sorted(Comparator.naturalOrder()).collect(Collectors.joining(", "));
  }

  private String literal(Expression expression) {
    ScalarType type = expression.scalar();
    for (Column column : shape.columns()) {
      if (column.quoted().equals(expression.sql()) && random.nextInt(5) != 0) {
        if (shape.partitions().contains(column.name())) {
          return type.literal(PartitionValues.of(type, random.nextInt(2)));
        } else if (shape.key().contains(column.name())) {
          return type.literal(type.key(random.nextInt(ScalarType.KEYS)));
        }
      }
    }
    return type.literal(type.draw(random));
  }

  private Expression pick(List<Expression> expressions) {
    return expressions.get(random.nextInt(expressions.size()));
  }
}
