package io.lakestream.spark.it.differential;

import io.lakestream.spark.it.harness.Change;
import io.lakestream.spark.it.harness.Execution;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;

/** Draws what happens to a table. */
final class RandomSteps {
  private static final int STEPS = 22;
  private static final int MOST_ROWS = 8;

  /** A restart takes as long as all other steps together. */
  private static final boolean RESTARTS = Boolean.getBoolean("lakestream.restarts");

  private final Random random;
  private final TableShape shape;
  private final RandomQueries queries;
  private final List<Step> steps = new ArrayList<>();
  private int columns;

  RandomSteps(Random random, TableShape shape) {
    this.random = random;
    this.shape = shape;
    this.queries = new RandomQueries(random, shape);
    this.columns = shape.initial();
  }

  List<Step> draw() {
    for (int i = 0; i < STEPS; i++) {
      steps.add(random.nextInt(20) < 9 ? write() : other());
      if (random.nextInt(5) < 3) {
        steps.add(new Step.Ask(queries.draw(columns)));
      }
    }
    Execution last = Execution.PAIRWISE.get(random.nextInt(Execution.PAIRWISE.size()));
    steps.add(new Step.Ask(RandomQueries.everything(last)));
    steps.add(new Step.Ask(RandomQueries.everything(last.opposite())));
    return steps;
  }

  private Step write() {
    List<Row> rows =
        Stream.generate(() -> shape.draw(random)).limit(1 + random.nextInt(MOST_ROWS)).toList();
    return shape.isKeyed() && random.nextInt(4) == 0
        ? new Step.Write(Change.delete(rows.stream().map(shape::deletion).toList()))
        : new Step.Write(Change.put(rows));
  }

  private Step other() {
    int drawn = random.nextInt(RESTARTS ? 12 : 11);
    if (drawn == 11) {
      return new Step.Restart();
    }
    if (drawn == 0 && columns < shape.columns().size()) {
      columns++;
      return new Step.AddColumn();
    }
    if (!shape.lake()) {
      return new Step.Ask(queries.draw(columns));
    }
    if (drawn == 1 && !shape.partitions().isEmpty()) {
      return new Step.DropPartition(partition());
    }
    return new Step.Service(
        drawn < 6
            ? LakeService.TIER
            : LakeService.values()[random.nextInt(LakeService.values().length)]);
  }

  private Map<String, String> partition() {
    Map<String, String> values = new TreeMap<>();
    for (int position : shape.positions(shape.partitions())) {
      Column column = shape.columns().get(position);
      values.put(
          column.name(),
          PartitionValues.of((ScalarType) column.type(), random.nextInt(2)).toString());
    }
    return values;
  }
}
