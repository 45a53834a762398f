package io.lakestream.spark.it.differential;

import io.lakestream.spark.it.harness.Change;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;

/** What must be in a table: all rows, and those that were there at the last round. */
final class ModelRows {
  private final TableShape shape;
  private final List<Integer> key;
  private final List<Row> rows = new ArrayList<>();
  private final Map<List<Object>, Row> rowsByKey = new LinkedHashMap<>();

  /** The keys that a delete can find: the log knows nothing of a partition that it has dropped. */
  private final Set<List<Object>> keysInLog = new HashSet<>();

  private List<Row> tiered = List.of();
  private int columns;

  ModelRows(TableShape shape) {
    this.shape = shape;
    this.key = shape.positions(shape.key());
    this.columns = shape.initial();
  }

  /** The change with the columns that the table has by now. */
  Change cut(Change change) {
    return new Change(change.kind(), change.rows().stream().map(this::cut).toList());
  }

  private Row cut(Row row) {
    return resized(row, columns);
  }

  void apply(Change change) {
    for (Row row : change.rows()) {
      List<Object> rowKey = key.stream().map(row::get).toList();
      if (!shape.isKeyed()) {
        rows.add(cut(row));
      } else if (change.kind() == Change.Kind.PUT) {
        rowsByKey.put(rowKey, cut(row));
        keysInLog.add(rowKey);
      } else if (keysInLog.remove(rowKey)) {
        rowsByKey.remove(rowKey);
      }
    }
  }

  /** Adds the next column, if there is one, and gives it. */
  List<Column> addColumn() {
    return columns == shape.columns().size() ? List.of() : List.of(shape.columns().get(columns++));
  }

  void dropPartition(Map<String, String> values) {
    keysInLog.removeIf(rowKey -> values.equals(partitionOf(rowsByKey.get(rowKey))));
  }

  private Map<String, String> partitionOf(Row row) {
    Map<String, String> values = new LinkedHashMap<>();
    for (int position : shape.positions(shape.partitions())) {
      values.put(shape.columns().get(position).name(), row.get(position).toString());
    }
    return values;
  }

  void wasTiered() {
    tiered = all();
  }

  List<Row> all() {
    return (shape.isKeyed() ? rowsByKey.values() : rows).stream().map(this::cut).toList();
  }

  List<Row> tiered() {
    return tiered.stream().map(this::cut).toList();
  }

  StructType structType() {
    return shape.structType(columns);
  }

  private static Row resized(Row row, int size) {
    Object[] values = new Object[row.size()];
    Arrays.setAll(values, row::get);
    return RowFactory.create(Arrays.copyOf(values, size));
  }
}
