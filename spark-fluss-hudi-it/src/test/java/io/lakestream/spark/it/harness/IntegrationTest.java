package io.lakestream.spark.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.fluss.metadata.DatabaseDescriptor;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What integration tests share: the environment, and a database per class. */
@ExtendWith(EnvironmentExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class IntegrationTest {
  private final AtomicInteger tables = new AtomicInteger();
  private Environment environment;
  private String database;

  @BeforeAll
  final void createDatabase(Environment environment) {
    this.environment = environment;
    this.database = getClass().getSimpleName().toLowerCase(Locale.ROOT);
    Environment.await(
        environment.admin().createDatabase(database, DatabaseDescriptor.EMPTY, false));
  }

  @AfterAll
  final void dropDatabase() {
    Environment.await(environment.admin().dropDatabase(database, true, true));
  }

  protected final Environment environment() {
    return environment;
  }

  protected final String database() {
    return database;
  }

  /** Creates a table under a name that no other table of this class has. */
  protected final TestTable create(String name, TableSpec spec) {
    return TestTable.create(environment, database, uniqueName(name), spec);
  }

  /** As {@link #create}, but by the Fluss client, which takes names that the catalog refuses. */
  protected final TestTable createByClient(String name, TableSpec spec) {
    return TestTable.createByClient(environment, database, uniqueName(name), spec);
  }

  protected final String uniqueName(String prefix) {
    return prefix + "_" + tables.incrementAndGet();
  }

  protected final Stream<DynamicNode> run(PlacementCase placementCase) {
    return run(List.of(placementCase));
  }

  protected final Stream<DynamicNode> run(List<PlacementCase> placementCases) {
    return placementCases.stream().flatMap(placementCase -> placementCase.tests(this::create));
  }

  protected final Dataset<Row> sql(String text) {
    return environment.sql(text);
  }

  /** Runs {@code body} with session settings that are undone afterwards. */
  protected final void withSettings(Map<String, String> settings, ThrowingRunnable body)
      throws Exception {
    new SessionSettings(settings)
        .call(
            environment.spark(),
            () -> {
              body.run();
              return null;
            });
  }

  /** Code that may throw anything. */
  protected interface ThrowingRunnable {
    void run() throws Exception;
  }

  /** Runs {@code query} on the table by both entry points; the rows must be exactly these. */
  protected final void assertRows(TestTable table, String query, Row... expected) {
    for (EntryPoint entryPoint : List.of(EntryPoint.CATALOG, EntryPoint.FORMAT)) {
      assertRows(entryPoint, table, query, expected);
    }
  }

  /** Runs {@code query} on the table by one entry point; the rows must be exactly these. */
  protected final void assertRows(
      EntryPoint entryPoint, TestTable table, String query, Row... expected) {
    assertThat(table.query(entryPoint, query).rows())
        .as("%s of %s: %s", entryPoint, table.path(), query)
        .containsExactlyInAnyOrderElementsOf(Answer.rows(List.of(expected)));
  }
}
