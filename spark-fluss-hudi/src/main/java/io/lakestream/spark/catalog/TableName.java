package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;

/**
 * The name of a table or of a database of a catalog.
 *
 * @param table the table's name, or null for a database
 */
record TableName(String catalog, String database, String table) {

  /**
   * Takes a name apart.
   *
   * @throws LakestreamException {@code INVALID_OPTION} if it has neither two nor three parts
   */
  static TableName parse(String name) {
    String[] parts = name.split("\\.", -1);
    if (parts.length < 2 || parts.length > 3) {
      throw LakestreamException.of(
          ErrorCode.INVALID_OPTION,
          "tiering",
          "'" + name + "' is neither catalog.database.table nor catalog.database.",
          "Name a table or a database of a lakestream catalog.");
    }
    return new TableName(parts[0], parts[1], parts.length == 3 ? parts[2] : null);
  }

  boolean isDatabase() {
    return table == null;
  }

  TableName table(String name) {
    return new TableName(catalog, database, name);
  }

  /** {@code database.table}. */
  String inCatalog() {
    return database + "." + table;
  }

  @Override
  public String toString() {
    return catalog + "." + (isDatabase() ? database : inCatalog());
  }
}
