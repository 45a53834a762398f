package io.lakestream.spark.types;

import java.io.Serializable;

/** A table's database and name, as Fluss has them; {@code toString} gives {@code db.table}. */
public record TablePath(String database, String table) implements Serializable {
  @Override
  public String toString() {
    return database + "." + table;
  }
}
