package io.lakestream.spark.it.differential;

import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.Execution;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** Draws queries on a table of which only the first columns are there yet. */
final class RandomQueries {
  private static final List<String> JOINS =
      List.of("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN");

  private final Random random;
  private final TableShape shape;
  private final RandomPredicates predicates;
  private List<Expression> expressions = List.of();

  RandomQueries(Random random, TableShape shape) {
    this.random = random;
    this.shape = shape;
    this.predicates = new RandomPredicates(random, shape);
  }

  /** All rows, so that a fault that no drawn query meets is not missed. */
  static Query everything(Execution execution) {
    return new Query("SELECT * FROM {t}", Query.UNLIMITED, execution);
  }

  Query draw(int columns) {
    expressions =
        shape.columns().subList(0, columns).stream()
            .flatMap(column -> column.parts().stream())
            .toList();
    Execution execution = execution();
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> new Query(projection(), Query.UNLIMITED, execution);
      case 3, 4 -> new Query(projection(), random.nextInt(12), execution);
      case 5 -> new Query(zeroColumns(), Query.UNLIMITED, execution);
      case 6, 7 -> new Query(groups(), Query.UNLIMITED, execution);
      case 8 -> new Query(selfJoin(), Query.UNLIMITED, execution);
      case 9 -> new Query(dimensionJoin(), Query.UNLIMITED, execution);
      case 10 -> new Query(subquery(), Query.UNLIMITED, execution);
      default -> new Query(union(), Query.UNLIMITED, execution);
    };
  }

  private Execution execution() {
    Execution drawn = Execution.PAIRWISE.get(random.nextInt(Execution.PAIRWISE.size()));
    return shape.lake() && random.nextInt(5) == 0
        ? new Execution(EntryPoint.LAKE_ONLY, drawn.codegen(), drawn.adaptive(), drawn.vectorized())
        : drawn;
  }

  private String projection() {
    return random.nextInt(5) == 0
        ? "SELECT * FROM {t}" + filter()
        : "SELECT " + some(expressions, 5) + " FROM {t}" + filter();
  }

  private String zeroColumns() {
    return switch (random.nextInt(3)) {
      case 0 -> "SELECT count(*) FROM {t}" + filter();
      case 1 -> "SELECT 'x' FROM {t}" + filter();
      default -> "SELECT 1 FROM {t} WHERE EXISTS (SELECT 1 FROM {t}" + filter() + ")";
    };
  }

  private String groups() {
    Expression measured = pick(scalars());
    List<String> aggregates = new ArrayList<>(List.of("count(*)"));
    aggregates.add("count(" + measured.sql() + ")");
    aggregates.add("count(DISTINCT " + measured.sql() + ")");
    if (measured.scalar().hasOneMinimum()) {
      aggregates.add("min(" + measured.sql() + ")");
      aggregates.add("max(" + measured.sql() + ")");
    }
    if (measured.scalar().hasExactSum()) {
      aggregates.add("sum(" + measured.sql() + ")");
    }
    String measures = String.join(", ", aggregates);
    if (random.nextInt(3) == 0) {
      return "SELECT " + measures + " FROM {t}" + filter();
    }
    String keys = some(expressions.stream().filter(each -> each.type().isComparable()).toList(), 2);
    return "SELECT " + keys + ", " + measures + " FROM {t}" + filter() + " GROUP BY " + keys;
  }

  private String selfJoin() {
    Expression on = joinKey();
    String operator = random.nextInt(3) == 0 ? " <=> " : " = ";
    String left = "(SELECT " + on.sql() + " AS l0, " + aliased("l") + " FROM {t}" + filter() + ")";
    String right = "(SELECT " + on.sql() + " AS r0, " + aliased("r") + " FROM {t}" + filter() + ")";
    return "SELECT * FROM " + left + " l " + join() + " " + right + " r ON l0" + operator + "r0";
  }

  private String dimensionJoin() {
    Expression on = joinKey();
    String dimension =
        "(SELECT r0 FROM (SELECT explode(array("
            + predicates.list(on)
            + ")) AS r0) WHERE r0 IS NOT NULL)";
    String facts = "(SELECT " + on.sql() + " AS l0, " + aliased("l") + " FROM {t}" + filter() + ")";
    return "SELECT * FROM " + facts + " l " + join() + " " + dimension + " r ON l0 = r0";
  }

  private String subquery() {
    Expression on = joinKey();
    return "SELECT "
        + some(expressions, 3)
        + " FROM {t} WHERE "
        + on.sql()
        + (random.nextBoolean() ? " IN " : " NOT IN ")
        + "(SELECT "
        + on.sql()
        + " FROM {t}"
        + filter()
        + ")";
  }

  private String union() {
    Expression both =
        pick(expressions.stream().filter(each -> each.type().isComparable()).toList());
    String operator =
        List.of(" UNION ALL ", " UNION ", " EXCEPT ", " INTERSECT ").get(random.nextInt(4));
    String select = "SELECT " + both.sql() + " FROM {t}";
    return select + filter() + operator + select + filter();
  }

  /** A partition or key column often, as those prune. */
  private Expression joinKey() {
    List<Expression> scalars = scalars();
    if (random.nextBoolean()) {
      List<Expression> identity =
          shape.columns().stream()
              .filter(shape::isIdentity)
              .map(column -> new Expression(column.quoted(), column.type()))
              .toList();
      return identity.isEmpty() ? pick(scalars) : pick(identity);
    }
    return pick(scalars);
  }

  private List<Expression> scalars() {
    return expressions.stream().filter(Expression::isScalar).toList();
  }

  private String join() {
    return JOINS.get(random.nextInt(JOINS.size()));
  }

  private String aliased(String prefix) {
    return pick(expressions).sql() + " AS " + prefix + "1";
  }

  private String filter() {
    return random.nextInt(4) == 0 ? "" : " WHERE " + predicates.draw(expressions);
  }

  /** One or more of the expressions, in any order, now and then one twice. */
  private String some(List<Expression> from, int most) {
    return random
        .ints(1L + random.nextInt(most), 0, from.size())
        .mapToObj(from::get)
        .map(Expression::sql)
        .collect(Collectors.joining(", "));
  }

  private Expression pick(List<Expression> from) {
    return from.get(random.nextInt(from.size()));
  }
}
