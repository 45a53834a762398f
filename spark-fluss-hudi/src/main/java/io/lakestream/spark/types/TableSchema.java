package io.lakestream.spark.types;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.StructType;

/** The declared columns of a table, in order; what users see, without any system column. */
public record TableSchema(List<TableColumn> columns) implements Serializable {
  public TableSchema {
    columns = List.copyOf(columns);
  }

  /** The position of the column with exactly this name, or -1. */
  public int indexOf(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** The column with exactly this name; it must exist. */
  public TableColumn column(String name) {
    int index = indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException("no column " + name + " in " + columns);
    }
    return columns.get(index);
  }

  /** The same columns as Spark sees them, see {@link SparkTypes}. */
  public StructType toSpark() {
    return SparkTypes.toStruct(this);
  }
}
