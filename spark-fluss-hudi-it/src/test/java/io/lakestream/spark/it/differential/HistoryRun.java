package io.lakestream.spark.it.differential;

import io.lakestream.spark.it.harness.Answer;
import io.lakestream.spark.it.harness.Change;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.Environment;
import io.lakestream.spark.it.harness.Execution;
import io.lakestream.spark.it.harness.PlainSpark;
import io.lakestream.spark.it.harness.TestTable;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Row;

/** One run of a history on a new table, beside a model of it. */
final class HistoryRun {
  private final Environment environment;
  private final TestTable table;
  private final TableShape shape;
  private final ModelRows model;
  private final LakeTending lake;

  HistoryRun(Environment environment, TestTable table, TableShape shape) {
    this.environment = environment;
    this.table = table;
    this.shape = shape;
    this.model = new ModelRows(shape);
    this.lake = new LakeTending(environment, table, shape.isKeyed());
  }

  /** Takes the steps up to the first that fails. */
  Optional<Failure> run(List<Step> steps) {
    for (int i = 0; i < steps.size(); i++) {
      Optional<Failure> failure;
      try {
        failure = run(i, steps.get(i));
      } catch (InvalidQueryException invalid) {
        throw invalid;
      } catch (Exception thrown) {
        failure = Optional.of(Failure.thrown(i, thrown));
      }
      if (failure.isPresent()) {
        return failure;
      }
    }
    return Optional.empty();
  }

  private Optional<Failure> run(int number, Step step) throws Exception {
    if (step instanceof Step.Write write) {
      Change change = model.cut(write.change());
      table.apply(change);
      model.apply(write.change());
    } else if (step instanceof Step.AddColumn) {
      model.addColumn().forEach(this::add);
    } else if (step instanceof Step.DropPartition drop) {
      drop(drop);
    } else if (step instanceof Step.Restart) {
      environment.restartTabletServer();
    } else if (step instanceof Step.Service service) {
      lake.run(service.service());
      if (service.service() == LakeService.TIER) {
        model.wasTiered();
      }
    } else if (step instanceof Step.Ask ask) {
      return ask(number, ask.query());
    }
    return Optional.empty();
  }

  private void add(Column column) {
    if (shape.lake()) {
      table.apply(Change.addColumn(column.name(), column.type().fluss()));
    } else {
      table.addColumn(column.name(), column.type().fluss());
    }
  }

  private void drop(Step.DropPartition drop) {
    if (table.partitions().contains(drop.values())) {
      lake.tier();
      model.wasTiered();
      table.dropPartition(drop.values());
      model.dropPartition(drop.values());
    }
  }

  private Optional<Failure> ask(int number, Query query) throws Exception {
    Execution execution = query.execution();
    boolean lakeOnly = execution.entryPoint() == EntryPoint.LAKE_ONLY;
    if (lakeOnly && !lake.isTiered()) {
      return Optional.empty();
    }
    List<Row> rows = lakeOnly ? model.tiered() : model.all();
    Answer expected = expected(query, rows);
    Answer actual =
        execution.call(
            environment.spark(), () -> table.query(execution.entryPoint(), query.limitedText()));
    return new AnswerComparison(query, expected, actual).failure(number);
  }

  /** Plain Spark's answer to a query, as if it had no limit. */
  private Answer expected(Query query, List<Row> rows) {
    try {
      return PlainSpark.answer(environment.spark(), query.text(), rows, model.structType());
    } catch (Exception refused) {
      throw new InvalidQueryException(query, refused);
    }
  }
}
