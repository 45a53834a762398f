package io.lakestream.spark.options;

/** Where an option may be given, strongest first. */
public enum Scope {
  /** An option of one read or write, or of {@code format("lakestream")}. */
  QUERY("query option"),
  /** A session setting {@code spark.sql.lakestream.<key>}. */
  SESSION("session setting"),
  /** A catalog setting {@code spark.sql.catalog.<name>.<key>}. */
  CATALOG("catalog setting"),
  /** A table property {@code lakestream.<key>}. */
  TABLE("table property");

  private final String label;

  Scope(String label) {
    this.label = label;
  }

  /** The name that users see. */
  public String label() {
    return label;
  }
}
