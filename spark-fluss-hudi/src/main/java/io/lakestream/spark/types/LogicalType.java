package io.lakestream.spark.types;

import java.io.Serializable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A column type as Fluss declares it, free of Fluss, Hudi and Spark classes, so that both tiers can
 * decode a stored value by the type its writer declared. Immutable; {@code toString} gives the SQL
 * spelling, for example {@code DECIMAL(10,2) NOT NULL}.
 */
public sealed interface LogicalType extends Serializable {

  /** Whether a value of this type may be null. */
  boolean nullable();

  /** The same type with another nullability. */
  LogicalType withNullable(boolean nullable);

  /** The kinds of scalar types, in Fluss's own terms. */
  enum Kind {
    BOOLEAN,
    TINYINT,
    SMALLINT,
    INTEGER,
    BIGINT,
    FLOAT,
    DOUBLE,
    DECIMAL,
    CHAR,
    STRING,
    BINARY,
    BYTES,
    DATE,
    TIME,
    TIMESTAMP,
    TIMESTAMP_LTZ
  }

  /**
   * A type without parts.
   *
   * @param kind which type
   * @param precision digits of DECIMAL, fractional second digits (0 to 9) of TIME and the
   *     timestamps, length of CHAR and BINARY; 0 for all others
   * @param scale digits after the point of DECIMAL; 0 for all others
   * @param nullable whether null is allowed
   */
  record Scalar(Kind kind, int precision, int scale, boolean nullable) implements LogicalType {
    @Override
    public LogicalType withNullable(boolean nullable) {
      return new Scalar(kind, precision, scale, nullable);
    }

    @Override
    public String toString() {
      String arguments =
          switch (kind) {
            case DECIMAL -> "(" + precision + "," + scale + ")";
            case CHAR, BINARY, TIME, TIMESTAMP, TIMESTAMP_LTZ -> "(" + precision + ")";
            default -> "";
          };
      return kind + arguments + (nullable ? "" : " NOT NULL");
    }
  }

  /** An array of {@code element}. */
  record Array(LogicalType element, boolean nullable) implements LogicalType {
    @Override
    public LogicalType withNullable(boolean nullable) {
      return new Array(element, nullable);
    }

    @Override
    public String toString() {
      return "ARRAY<" + element + ">" + (nullable ? "" : " NOT NULL");
    }
  }

  /** A map from {@code key} to {@code value}. */
  record Map(LogicalType key, LogicalType value, boolean nullable) implements LogicalType {
    @Override
    public LogicalType withNullable(boolean nullable) {
      return new Map(key, value, nullable);
    }

    @Override
    public String toString() {
      return "MAP<" + key + ", " + value + ">" + (nullable ? "" : " NOT NULL");
    }
  }

  /** A row of named fields. */
  record Row(List<Field> fields, boolean nullable) implements LogicalType {
    public Row {
      fields = List.copyOf(fields);
    }

    @Override
    public LogicalType withNullable(boolean nullable) {
      return new Row(fields, nullable);
    }

    @Override
    public String toString() {
      String inner =
          fields.stream()
              .map(field -> field.name() + " " + field.type())
              .collect(Collectors.joining(", "));
      return "ROW<" + inner + ">" + (nullable ? "" : " NOT NULL");
    }
  }

  /** One field of a {@link Row}. */
  record Field(String name, LogicalType type) implements Serializable {}

  /** A nullable scalar without arguments. */
  static LogicalType of(Kind kind) {
    return new Scalar(kind, 0, 0, true);
  }

  /** A nullable scalar with a precision or length. */
  static LogicalType of(Kind kind, int precision) {
    return new Scalar(kind, precision, 0, true);
  }

  /** A nullable DECIMAL. */
  static LogicalType decimal(int precision, int scale) {
    return new Scalar(Kind.DECIMAL, precision, scale, true);
  }
}
