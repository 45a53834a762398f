package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.options.OptionLayer;
import io.lakestream.spark.options.OptionResolver;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.SparkTypes;
import io.lakestream.spark.types.SystemColumns;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.UnsupportedTypeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableChange.AddColumn;
import org.apache.spark.sql.connector.catalog.TableChange.RemoveProperty;
import org.apache.spark.sql.connector.catalog.TableChange.SetProperty;

/**
 * Translates an {@code ALTER TABLE} statement into what Fluss can do: add columns that may be null
 * after the last one, and change properties. Fluss does one of the two at once.
 *
 * @param columns the columns to add, in order
 * @param set the properties to set
 * @param removed the properties to remove
 */
record TableAlteration(List<TableColumn> columns, Map<String, String> set, Set<String> removed) {
  private static final String LAKE_PREFIX = "hudi.";

  /**
   * Translates the changes of a statement.
   *
   * @param hasLake whether rows of the table were tiered
   * @throws LakestreamException {@code UNSUPPORTED_OPERATION} for a change that Fluss cannot make,
   *     {@code INVALID_TABLE_DEFINITION}, {@code UNSUPPORTED_TYPE} or {@code INVALID_OPTION} for a
   *     column or property that the table cannot have
   */
  static TableAlteration parse(LogTable table, boolean hasLake, TableChange... changes) {
    List<TableColumn> columns = new ArrayList<>();
    Map<String, String> set = new LinkedHashMap<>();
    Set<String> removed = new LinkedHashSet<>();
    for (TableChange change : changes) {
      if (change instanceof AddColumn add) {
        columns.add(column(table.path(), add));
      } else if (change instanceof SetProperty property) {
        requireAlterable(table.path(), hasLake, property.property());
        set.put(property.property(), property.value());
      } else if (change instanceof RemoveProperty property) {
        requireAlterable(table.path(), hasLake, property.property());
        removed.add(property.property());
      } else {
        throw refused(
            table.path(),
            "Fluss cannot make the change " + change.getClass().getSimpleName() + ".",
            "Columns can be added, and properties set or unset; for other changes create a new"
                + " table and copy the rows.");
      }
    }
    if (!columns.isEmpty() && !(set.isEmpty() && removed.isEmpty())) {
      throw refused(
          table.path(),
          "Fluss cannot add columns and change properties at once.",
          "Do the one after the other.");
    }
    requireValidOptions(table, set, removed);
    return new TableAlteration(columns, set, removed);
  }

  private static TableColumn column(TablePath path, AddColumn add) {
    String name = String.join(".", add.fieldNames());
    if (add.fieldNames().length > 1) {
      throw refused(
          path,
          "the column '" + name + "' is a field of a struct, and Fluss adds whole columns only.",
          "Add a column of the table.");
    }
    if (add.position() != null) {
      throw refused(
          path,
          "the column '" + name + "' is to stand at " + add.position() + ".",
          "Leave FIRST and AFTER out: Fluss adds columns after the last one.");
    }
    if (!add.isNullable()) {
      throw refused(
          path,
          "the column '" + name + "' is NOT NULL, but the rows that are there have no value of it.",
          "Leave NOT NULL out.");
    }
    if (add.defaultValue() != null) {
      throw refused(
          path,
          "the column '" + name + "' has the default " + add.defaultValue().getSql() + ".",
          "Leave DEFAULT out: the column is NULL in the rows that are there.");
    }
    if (SystemColumns.isReserved(name)) {
      throw TableDefinition.reservedName(path, name);
    }
    try {
      LogicalType type = SparkTypes.fromSpark(name, add.dataType(), true);
      return new TableColumn(name, type, add.comment());
    } catch (UnsupportedTypeException e) {
      throw TableDefinition.unsupportedType(path, e);
    }
  }

  private static void requireAlterable(TablePath path, boolean hasLake, String key) {
    if (TableDefinition.isFixed(key)) {
      throw refused(
          path,
          "'" + key + "' cannot be changed: Fluss fixes it when the table is created.",
          "Create a new table and copy the rows.");
    }
    if (hasLake && OptionLayer.startsWith(key, LAKE_PREFIX)) {
      throw refused(
          path,
          "'" + key + "' cannot be changed: the lake was created with it.",
          "Create a new table and copy the rows.");
    }
  }

  /** The table's own options must be valid afterwards, as after {@code CREATE TABLE}. */
  private static void requireValidOptions(
      LogTable table, Map<String, String> set, Set<String> removed) {
    Map<String, String> after = new HashMap<>(table.customProperties());
    removed.forEach(after::remove);
    after.putAll(set);
    new OptionResolver(table.path(), List.of(OptionLayer.table(after)));
  }

  private static LakestreamException refused(TablePath path, String problem, String remedy) {
    return LakestreamException.of(ErrorCode.UNSUPPORTED_OPERATION, path, problem, remedy);
  }
}
