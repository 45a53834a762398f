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
    DELETE,
    /** {@code ALTER TABLE … ADD COLUMN}; the rows are names and Fluss types. */
    ADD_COLUMN
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

  /** Adds a column by SQL; rows of later changes have it, those of earlier ones read NULL. */
  public static Change addColumn(String name, String type) {
    return new Change(Kind.ADD_COLUMN, List.of(row(name, type)));
  }

  /** The columns after {@code changes}, as Fluss spells them. */
  static String columnsAfter(String columns, List<Change> changes) {
    return changes.stream()
        .filter(change -> change.kind() == Kind.ADD_COLUMN)
        .flatMap(change -> change.rows().stream())
        .map(column -> ", `" + column.getString(0) + "` " + column.getString(1))
        .reduce(columns, String::concat);
  }

  /** The row with as many columns as the table has in the end. */
  private static Row padded(Row row, int columns) {
    Object[] values = new Object[columns];
    for (int i = 0; i < row.size(); i++) {
      values[i] = row.get(i);
    }
    return RowFactory.create(values);
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
   * @param columns how many columns the rows shall have
   */
  static List<Row> replay(List<Integer> keyPositions, List<Change> all, int columns) {
    List<Change> changes = all.stream().filter(change -> change.kind() != Kind.ADD_COLUMN).toList();
    if (keyPositions.isEmpty()) {
      return changes.stream()
          .flatMap(change -> change.rows().stream())
          .map(row -> padded(row, columns))
          .toList();
    }
    Map<List<Object>, Row> latest = new LinkedHashMap<>();
    for (Change change : changes) {
      for (Row row : change.rows()) {
        List<Object> key = keyPositions.stream().map(row::get).toList();
        if (change.kind() == Kind.PUT) {
          latest.put(key, padded(row, columns));
        } else {
          latest.remove(key);
        }
      }
    }
    return new ArrayList<>(latest.values());
  }
}
