package io.lakestream.spark.it.harness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/**
 * Changes of one kind, in order.
 *
 * @param kind what happens to the rows
 * @param rows whole rows in table order, with values of Spark's external types; for a delete the
 *     columns that are not part of the key may be null
 */
public record Change(Kind kind, List<Row> rows) {
  public Change {
    rows = List.copyOf(rows);
  }

  /** The kinds of change. */
  public enum Kind {
    /** An append to a log table, an upsert into a primary-key table. */
    PUT,
    DELETE
  }

  public static Change put(Row... rows) {
    return new Change(Kind.PUT, Arrays.asList(rows));
  }

  public static Change put(List<Row> rows) {
    return new Change(Kind.PUT, rows);
  }

  public static Change delete(Row... rows) {
    return new Change(Kind.DELETE, Arrays.asList(rows));
  }

  public static Change delete(List<Row> rows) {
    return new Change(Kind.DELETE, rows);
  }

  /** A row, or a value of a ROW type. */
  public static Row row(Object... values) {
    return RowFactory.create(values);
  }

  /**
   * The rows that remain after {@code changes}: all of them for a log table, the last one per key
   * for a primary-key table.
   *
   * @param keyPositions the positions of the key columns, empty for a log table
   */
  static List<Row> replay(List<Integer> keyPositions, List<Change> changes) {
    if (keyPositions.isEmpty()) {
      return changes.stream().flatMap(change -> change.rows().stream()).toList();
    }
    Map<List<Object>, Row> latest = new LinkedHashMap<>();
    for (Change change : changes) {
      for (Row row : change.rows()) {
        List<Object> key = keyPositions.stream().map(row::get).toList();
        if (change.kind() == Kind.PUT) {
          latest.put(key, row);
        } else {
          latest.remove(key);
        }
      }
    }
    return new ArrayList<>(latest.values());
  }
}
