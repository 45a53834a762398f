package io.lakestream.spark.it.differential;

import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random tables with random histories and queries, each of whose answers must be that of plain
 * Spark over the rows of a model. {@code -Dlakestream.seed=} replays a run, {@code
 * -Dlakestream.histories=} makes it longer, {@code -Dlakestream.restarts=true} restarts the server
 * now and then. A history that fails is made smaller while it still fails, and printed as the body
 * of a test.
 */
class DifferentialTest extends IntegrationTest {
  private static final int HISTORIES = Integer.getInteger("lakestream.histories", 8);
  private static final int SHRINK_ATTEMPTS = 60;

  /** A build has the same histories each time: what it finds is to be found again. */
  private static final long FIRST_SEED = 1;

  @Test
  @Timeout(value = 10, unit = TimeUnit.HOURS)
  void answersArePlainSparks() {
    long seed = Long.getLong("lakestream.seed", FIRST_SEED);
    System.out.println("DifferentialTest: -Dlakestream.seed=" + seed);
    for (int i = 0; i < HISTORIES; i++) {
      check(seed + i);
    }
  }

  private void check(long seed) {
    History history = History.draw(seed);
    Optional<Failure> failure;
    try {
      failure = run(history);
    } catch (RuntimeException ofTheTest) {
      throw new IllegalStateException(replay(seed), ofTheTest);
    }
    failure.ifPresent(first -> report(seed, history, first));
  }

  private static String replay(long seed) {
    return "-Dlakestream.seed=" + seed + " -Dlakestream.histories=1";
  }

  private Optional<Failure> run(History history) {
    TableShape shape = history.shape();
    TableSpec spec = shape.spec();
    TestTable table = shape.lake() ? create("t", spec) : createByClient("t", spec);
    try {
      return new HistoryRun(environment(), table, shape).run(history.steps());
    } finally {
      sql("DROP TABLE " + table.sqlName());
    }
  }

  private void report(long seed, History history, Failure failure) {
    History small = shrink(history.upTo(failure.step()), failure.kind());
    String last = run(small).map(Failure::message).orElse("It does not fail each time.");
    throw new AssertionError(
        "%s fails at step %d of %d: %s%n%s%nMade smaller, it is%n%s%nand fails with%n%s"
            .formatted(
                replay(seed),
                failure.step(),
                history.steps().size(),
                failure.kind(),
                failure.message(),
                HistorySource.of(small),
                last),
        failure.cause());
  }

  /** First whole steps are left out, then single rows. */
  private History shrink(History failing, String kind) {
    History fewer = shrinkSteps(failing, kind).rowByRow();
    return shrinkSteps(fewer, kind);
  }

  private History shrinkSteps(History failing, String kind) {
    List<Step> steps =
        new Shrinker<Step>(shorter -> fails(failing.with(shorter), kind), SHRINK_ATTEMPTS)
            .shrink(failing.steps());
    return failing.with(steps);
  }

  private boolean fails(History history, String kind) {
    try {
      return run(history).filter(failure -> failure.kind().equals(kind)).isPresent();
    } catch (InvalidQueryException itsColumnIsLeftOut) {
      return false;
    }
  }
}
