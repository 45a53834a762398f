package io.lakestream.spark.it.differential;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** Types without parts. Each has few values, so that literals and join keys often meet them. */
enum ScalarType implements ColumnType {
  BOOLEAN("BOOLEAN", true, false),
  TINYINT("TINYINT", (byte) -128, (byte) -1, (byte) 0, (byte) 7, (byte) 127) {
    @Override
    Object key(int number) {
      return (byte) (number - 5);
    }
  },
  SMALLINT("SMALLINT", (short) -32_768, (short) 0, (short) 1, (short) 300) {
    @Override
    Object key(int number) {
      return (short) (number * 100 - 300);
    }
  },
  INT("INT", Integer.MIN_VALUE, -1, 0, 1, 2, 7, 20_221_130) {
    @Override
    Object key(int number) {
      return number - 3;
    }
  },
  BIGINT("BIGINT", Long.MIN_VALUE, -1L, 0L, 1L, 2L, 5_000_000_000L) {
    @Override
    Object key(int number) {
      return (number - 2) * 5_000_000_000L;
    }
  },
  FLOAT("FLOAT", Float.NaN, Float.POSITIVE_INFINITY, -0.0f, 0.0f, 1.5f, -2.25f),
  DOUBLE("DOUBLE", Double.NaN, Double.NEGATIVE_INFINITY, -0.0, 0.0, 1.5, 1e300),
  SHORT_DECIMAL(
      "DECIMAL(9, 2)",
      new BigDecimal("-9999999.99"),
      new BigDecimal("0.00"),
      new BigDecimal("1.50"),
      new BigDecimal("250.01")) {
    @Override
    Object key(int number) {
      return BigDecimal.valueOf(number * 125L - 300, 2);
    }
  },
  LONG_DECIMAL(
      "DECIMAL(24, 6)",
      new BigDecimal("-123456789012345678.000001"),
      new BigDecimal("0.000000"),
      new BigDecimal("1.500000"),
      new BigDecimal("999999999999999999.999999")),
  STRING("STRING", "", "a", "ab", "abc", "b", "Ä中", " ", "a:b", "a%b_", "null", "10") {
    @Override
    Object key(int number) {
      return List.of("", "a", "A", "a b", "ab", "Ä", "null", "0", "10", "k-1", "k_2", "z")
          .get(number);
    }
  },
  BYTES("BYTES", new byte[0], new byte[] {0}, new byte[] {1, -1}),
  DATE(
      "DATE",
      LocalDate.of(1582, 10, 4),
      LocalDate.of(1969, 12, 31),
      LocalDate.of(1970, 1, 1),
      LocalDate.of(2022, 11, 30),
      LocalDate.of(9999, 12, 31)) {
    @Override
    Object key(int number) {
      return LocalDate.of(1969, 12, 27).plusDays(number);
    }
  },
  TIMESTAMP(
      "TIMESTAMP(6)",
      LocalDateTime.of(1500, 1, 1, 0, 0),
      LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000),
      LocalDateTime.of(2024, 2, 29, 23, 59, 59, 123_456_000)),
  MILLISECONDS(
      "TIMESTAMP(3)",
      LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_000_000),
      LocalDateTime.of(1970, 1, 1, 0, 0),
      LocalDateTime.of(2024, 2, 29, 23, 59, 59, 987_000_000)),
  MOMENT(
      "TIMESTAMP_LTZ(6)",
      Instant.parse("1950-01-01T00:00:00.000001Z"),
      Instant.parse("1969-12-31T23:59:59.999999Z"),
      Instant.parse("2024-02-29T23:59:59.123456Z")) {
    @Override
    Object key(int number) {
      return Instant.parse("1969-12-31T23:59:59.999995Z").plus(number, ChronoUnit.MICROS);
    }
  };

  /** How many values {@link #key} has. */
  static final int KEYS = 12;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS");

  private final String fluss;
  private final List<Object> values;

  ScalarType(String fluss, Object... values) {
    this.fluss = fluss;
    this.values = Arrays.asList(values);
  }

  @Override
  public String fluss() {
    return fluss;
  }

  @Override
  public Object draw(Random random) {
    return values.get(random.nextInt(values.size()));
  }

  @Override
  public boolean isComparable() {
    return true;
  }

  @Override
  public List<Expression> parts(String expression) {
    return List.of(new Expression(expression, this));
  }

  /** The value of a key column for a number below {@link #KEYS}, another one for each. */
  Object key(int number) {
    throw new UnsupportedOperationException(this + " is not used in keys");
  }

  /** Whether a sum does not depend on the order of its terms. */
  boolean hasExactSum() {
    return switch (this) {
      case TINYINT, SMALLINT, INT, BIGINT, SHORT_DECIMAL, LONG_DECIMAL -> true;
      default -> false;
    };
  }

  /** Whether the least of some values is one value only: 0.0 and -0.0 are equal. */
  boolean hasOneMinimum() {
    return this != FLOAT && this != DOUBLE;
  }

  /** The value in the text of a query. */
  String literal(Object value) {
    if (value == null) {
      return "NULL";
    }
    return switch (this) {
      case STRING -> "'" + value + "'";
      case BYTES -> "X'" + HexFormat.of().formatHex((byte[]) value) + "'";
      case DATE -> "DATE'" + value + "'";
      case TIMESTAMP, MILLISECONDS -> "TIMESTAMP_NTZ'" + TIME.format((LocalDateTime) value) + "'";
      case MOMENT -> "TIMESTAMP'" + value + "'";
      case FLOAT, DOUBLE -> "CAST('" + value + "' AS " + fluss + ")";
      case TINYINT, SMALLINT, BIGINT, SHORT_DECIMAL, LONG_DECIMAL ->
          "CAST('" + value + "' AS " + fluss + ")";
      default -> value.toString();
    };
  }
}
