package io.lakestream.spark.it.differential;

import io.lakestream.spark.it.harness.Change;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;

/** What happens to a table. A step that is impossible when its turn comes is passed over. */
sealed interface Step {
  /**
   * A write of rows that have all columns which the table can ever have; those that it has not yet
   * are cut off.
   */
  record Write(Change change) implements Step {
    /** The same as writes of one row each. */
    List<Step> rowByRow() {
      return change.rows().stream().map(this::of).toList();
    }

    private Step of(Row row) {
      return new Write(new Change(change.kind(), List.of(row)));
    }
  }

  /** The next column is added. */
  record AddColumn() implements Step {}

  /**
   * A partition whose rows are in the lake is dropped from the log.
   *
   * @param values as Fluss spells them
   */
  record DropPartition(Map<String, String> values) implements Step {}

  /** The lake is tended. */
  record Service(LakeService service) implements Step {}

  /** The tablet server dies and comes back. */
  record Restart() implements Step {}

  /** The table is asked. */
  record Ask(Query query) implements Step {}
}
