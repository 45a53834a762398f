package io.lakestream.spark.types;

/** A column has a type that has no counterpart on the other side. */
public final class UnsupportedTypeException extends RuntimeException {
  private final String column;
  private final String type;

  public UnsupportedTypeException(String column, String type) {
    super("column " + column + " has the unsupported type " + type);
    this.column = column;
    this.type = type;
  }

  public String column() {
    return column;
  }

  public String type() {
    return type;
  }
}
