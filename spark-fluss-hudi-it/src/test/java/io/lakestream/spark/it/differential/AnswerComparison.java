package io.lakestream.spark.it.differential;

import io.lakestream.spark.it.harness.Answer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An answer beside the right one, which has no limit.
 *
 * @param query the query
 * @param expected plain Spark's answer to its text without the limit
 * @param actual our answer
 */
record AnswerComparison(Query query, Answer expected, Answer actual) {
  /** What is wrong at the step, if anything. */
  Optional<Failure> failure(int step) {
    if (!actual.types().equals(expected.types())) {
      return Optional.of(Failure.wrong(step, "other types", described()));
    }
    int count = expected.rows().size();
    if (query.isLimited()) {
      count = Math.min(count, query.limit());
    }
    if (actual.rows().size() != count) {
      return Optional.of(Failure.wrong(step, "another number of rows", described()));
    }
    return isPart()
        ? Optional.empty()
        : Optional.of(Failure.wrong(step, "other rows", described()));
  }

  /** Whether each row is expected at least as often as it came. */
  private boolean isPart() {
    Map<List<Object>, Integer> left = new HashMap<>();
    expected.rows().forEach(row -> left.merge(row, 1, Integer::sum));
    return actual.rows().stream().allMatch(row -> left.merge(row, -1, Integer::sum) >= 0);
  }

  private String described() {
    return "%s%n  in the way %s%n  gave     %s %s%n  expected %s %s"
        .formatted(
            query.limitedText(),
            query.execution(),
            actual.types(),
            actual.rows(),
            expected.types(),
            expected.rows());
  }
}
