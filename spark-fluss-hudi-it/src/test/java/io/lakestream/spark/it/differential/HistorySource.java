package io.lakestream.spark.it.differential;

import io.lakestream.spark.it.harness.Change;
import io.lakestream.spark.it.harness.Execution;
import java.util.Locale;
import java.util.stream.Collectors;

/** A history as the body of a test. */
final class HistorySource {
  private final TableShape shape;

  /** Knows which columns there are by now. */
  private final ModelRows model;

  private HistorySource(TableShape shape) {
    this.shape = shape;
    this.model = new ModelRows(shape);
  }

  static String of(History history) {
    HistorySource source = new HistorySource(history.shape());
    String steps = history.steps().stream().map(source::step).collect(Collectors.joining("\n"));
    return source.table() + "\n" + steps;
  }

  private String table() {
    String columns = JavaSource.quoted(shape.text(shape.initial()));
    String spec =
        shape.isKeyed()
            ? "TableSpec.keyed(" + columns + ", " + JavaSource.quoted(shape.key()) + ")"
            : "TableSpec.log(" + columns + ")";
    if (!shape.partitions().isEmpty()) {
      spec += ".partitionedBy(" + JavaSource.quoted(shape.partitions()) + ")";
    }
    String buckets = Integer.toString(shape.buckets());
    if (!shape.bucketColumns().isEmpty()) {
      buckets += ", " + JavaSource.quoted(shape.bucketColumns());
    }
    String create = shape.lake() ? "create" : "createByClient";
    return "TestTable table = " + create + "(\"t\", " + spec + ".buckets(" + buckets + "));";
  }

  private String step(Step step) {
    if (step instanceof Step.Write write) {
      return write(model.cut(write.change()));
    } else if (step instanceof Step.DropPartition drop) {
      return "table.tier(); table.dropPartition(" + JavaSource.of(drop.values()) + ");";
    } else if (step instanceof Step.Restart) {
      return "environment().restartTabletServer();";
    } else if (step instanceof Step.Service service) {
      return service(service.service());
    } else if (step instanceof Step.Ask ask) {
      return ask(ask.query());
    }
    return model.addColumn().stream().map(HistorySource::addColumn).collect(Collectors.joining());
  }

  private static String addColumn(Column column) {
    return "table.addColumn(%s, %s);"
        .formatted(JavaSource.quoted(column.name()), JavaSource.quoted(column.type().fluss()));
  }

  private static String write(Change change) {
    return change.rows().stream()
        .map(JavaSource::of)
        .collect(
            Collectors.joining(
                ", ", "table.apply(" + change.kind().name().toLowerCase(Locale.ROOT) + "(", "));"));
  }

  private String service(LakeService service) {
    String rewrite = shape.isKeyed() ? "Compaction" : "Clustering";
    return switch (service) {
      case TIER -> "table.tier();";
      case REWRITE ->
          shape.isKeyed()
              ? "table.compact();"
              : "LakestreamTiering.cluster(environment().spark(), \"lake\", table.path());";
      case CLEAN -> "LakestreamTiering.clean(environment().spark(), \"lake\", table.path());";
      case PLAN_REWRITE_BY_HUDI -> "String planned = hudi.schedule" + rewrite + "().orElseThrow();";
      case BEGIN_REWRITE_BY_HUDI -> "hudi.beginCompaction(planned);";
      case FINISH_REWRITE_BY_HUDI ->
          shape.isKeyed() ? "hudi.compact(planned);" : "hudi.cluster(planned);";
      case CLEAN_BY_HUDI -> "hudi.clean();";
      case ARCHIVE_BY_HUDI -> "hudi.archive();";
    };
  }

  private static String ask(Query query) {
    Execution execution = query.execution();
    return "ask(new Execution(EntryPoint.%s, %s, %s, %s), %s);"
        .formatted(
            execution.entryPoint(),
            execution.codegen(),
            execution.adaptive(),
            execution.vectorized(),
            JavaSource.quoted(query.limitedText()));
  }
}
