package io.lakestream.spark.it.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.DynamicNode;

/**
 * One data set and its queries, read in every placement and by every entry point, each time in
 * another {@link Execution}.
 *
 * <p>Each answer is compared, types and rows, with what plain Spark says to the same query over the
 * rows that a replay of the changes leaves; where a query states its rows, these must be the same
 * too. So all placements and entry points agree with each other. Where something was tiered, the
 * lake alone is asked as well and must give what was tiered.
 */
public final class PlacementCase {
  private final String name;
  private final TableSpec spec;
  private final List<Change> base = new ArrayList<>();
  private final List<Change> lake = new ArrayList<>();
  private final List<Change> tail = new ArrayList<>();
  private final List<Query> queries = new ArrayList<>();
  private final Map<Expectation, Answer> expectedAnswers = new HashMap<>();
  private Set<Placement> placements = EnumSet.allOf(Placement.class);

  private record Query(String text, List<Row> stated) {}

  /** Which answer: to a query over the first so many changes. */
  private record Expectation(int changes, String query) {}

  private PlacementCase(String name, TableSpec spec) {
    this.name = name;
    this.spec = spec;
  }

  /** A case; the name is the case's id and the table's kind, and shows in every failure. */
  public static PlacementCase of(String name, TableSpec spec) {
    return new PlacementCase(name, spec);
  }

  /** Changes that come first; a primary-key table is compacted after their round. */
  public PlacementCase base(Change... changes) {
    base.addAll(Arrays.asList(changes));
    return this;
  }

  /** Changes that are tiered in {@link Placement#SPLIT}. */
  public PlacementCase lake(Change... changes) {
    lake.addAll(Arrays.asList(changes));
    return this;
  }

  /** Changes that are not tiered in {@link Placement#SPLIT}. */
  public PlacementCase tail(Change... changes) {
    tail.addAll(Arrays.asList(changes));
    return this;
  }

  /** A query, in which {@code {t}} stands for the table. */
  public PlacementCase query(String text) {
    queries.add(new Query(text, null));
    return this;
  }

  /** A query with its rows when all changes are made. */
  public PlacementCase query(String text, Row first, Row... others) {
    List<Row> rows = new ArrayList<>(List.of(first));
    rows.addAll(Arrays.asList(others));
    queries.add(new Query(text, rows));
    return this;
  }

  /** A query that has no rows when all changes are made. */
  public PlacementCase queryWithoutRows(String text) {
    queries.add(new Query(text, List.of()));
    return this;
  }

  /** Only these placements: for twins of a case that runs in all of them. */
  public PlacementCase in(Placement first, Placement... others) {
    placements = EnumSet.of(first, others);
    return this;
  }

  /** The tests; tables are created when the tests run. */
  Stream<DynamicNode> tests(BiFunction<String, TableSpec, TestTable> create) {
    return placements.stream().map(placement -> tests(placement, create));
  }

  private DynamicNode tests(Placement placement, BiFunction<String, TableSpec, TestTable> create) {
    Placed placed = new Placed(placement, create);
    List<DynamicNode> tests = new ArrayList<>();
    for (EntryPoint entryPoint : EntryPoint.values()) {
      List<Change> expected = expectedChanges(placement, entryPoint);
      if (entryPoint != EntryPoint.LAKE_ONLY || !expected.isEmpty()) {
        tests.add(
            dynamicTest(
                name + " " + placement + " " + entryPoint,
                () -> check(placed, entryPoint, expected)));
      }
    }
    return dynamicContainer(name + " " + placement, tests);
  }

  private List<Change> expectedChanges(Placement placement, EntryPoint entryPoint) {
    if (entryPoint != EntryPoint.LAKE_ONLY) {
      return concat(base, lake, tail);
    }
    return switch (placement) {
      case ALL_TAIL -> List.of();
      case SPLIT -> concat(base, lake);
      case ALL_LAKE, COMPACTED -> concat(base, lake, tail);
    };
  }

  private void check(Placed placed, EntryPoint entryPoint, List<Change> changes) {
    TestTable table = placed.table();
    Execution execution = Execution.of(placed.placement, entryPoint);
    boolean whole = changes.equals(concat(base, lake, tail));
    SoftAssertions softly = new SoftAssertions();
    for (Query query : queries) {
      String what = "%s %s %s: %s".formatted(name, placed.placement, execution, query.text());
      Answer expected = expected(query, changes);
      if (whole && query.stated() != null) {
        assertThat(expected.rows())
            .as("plain Spark over the replayed rows, %s: %s", name, query.text())
            .containsExactlyInAnyOrderElementsOf(Answer.rows(query.stated()));
      }
      softly
          .assertThatCode(
              () -> {
                Answer actual =
                    execution.call(
                        SparkSession.active(), () -> table.query(entryPoint, query.text()));
                assertThat(actual.types()).as("types").isEqualTo(expected.types());
                assertThat(actual.rows())
                    .as("rows")
                    .containsExactlyInAnyOrderElementsOf(expected.rows());
              })
          .as(what)
          .doesNotThrowAnyException();
    }
    softly.assertAll();
  }

  private Answer expected(Query query, List<Change> changes) {
    return expectedAnswers.computeIfAbsent(
        new Expectation(changes.size(), query.text()),
        key -> {
          StructType columns = ExpectedTypes.struct(spec.rowType(concat(base, lake, tail)));
          List<Row> rows = Change.replay(spec.keyPositions(), changes, columns.length());
          return PlainSpark.answer(SparkSession.active(), query.text(), rows, columns);
        });
  }

  @SafeVarargs
  private static List<Change> concat(List<Change>... parts) {
    return Stream.of(parts).flatMap(List::stream).toList();
  }

  /** The table in one placement, made by the first test that needs it. */
  private final class Placed {
    private final Placement placement;
    private final BiFunction<String, TableSpec, TestTable> create;
    private TestTable table;
    private RuntimeException failure;

    Placed(Placement placement, BiFunction<String, TableSpec, TestTable> create) {
      this.placement = placement;
      this.create = create;
    }

    synchronized TestTable table() {
      if (table == null && failure == null) {
        try {
          table = prepare();
        } catch (RuntimeException e) {
          failure = e;
        }
      }
      if (failure != null) {
        throw new IllegalStateException(
            name + " " + placement + ": the table could not be prepared", failure);
      }
      return table;
    }

    private TestTable prepare() {
      String prefix = placement.name().toLowerCase(Locale.ROOT);
      TestTable created = create.apply(prefix, spec);
      boolean keyed = !spec.primaryKey().isEmpty();
      boolean split = placement == Placement.SPLIT || placement == Placement.COMPACTED;
      if (!split) {
        created.apply(concat(base, lake, tail));
        if (placement == Placement.ALL_LAKE) {
          created.tier();
        }
        return created;
      }
      if (!base.isEmpty()) {
        created.apply(base);
        created.tier();
        if (keyed) {
          created.compact();
        }
      }
      created.apply(lake);
      created.tier();
      created.apply(tail);
      if (placement == Placement.COMPACTED) {
        created.tier();
        if (keyed) {
          created.compact();
        }
      }
      return created;
    }
  }
}
