package io.lakestream.spark.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.types.LogicalType.Kind;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PartitionValuesTest {
  static Stream<Arguments> spellings() {
    return Stream.of(
        Arguments.of(LogicalType.of(Kind.STRING), UTF8String.fromString("2024"), "2024"),
        Arguments.of(LogicalType.of(Kind.CHAR, 3), UTF8String.fromString("abc"), "abc"),
        Arguments.of(LogicalType.of(Kind.BOOLEAN), true, "true"),
        Arguments.of(LogicalType.of(Kind.TINYINT), (byte) -128, "-128"),
        Arguments.of(LogicalType.of(Kind.SMALLINT), (short) 32767, "32767"),
        Arguments.of(LogicalType.of(Kind.INTEGER), -5, "-5"),
        Arguments.of(LogicalType.of(Kind.BIGINT), Long.MIN_VALUE, "-9223372036854775808"),
        Arguments.of(LogicalType.of(Kind.FLOAT), 1.5e-7f, "1_5E-7"),
        Arguments.of(LogicalType.of(Kind.FLOAT), Float.NaN, "NaN"),
        Arguments.of(LogicalType.of(Kind.FLOAT), 0.1f, "0_1"),
        Arguments.of(LogicalType.of(Kind.DOUBLE), -0.0, "-0_0"),
        Arguments.of(LogicalType.of(Kind.DOUBLE), Double.POSITIVE_INFINITY, "Inf"),
        Arguments.of(LogicalType.of(Kind.DOUBLE), Double.NEGATIVE_INFINITY, "-Inf"),
        Arguments.of(LogicalType.of(Kind.DATE), days("2024-02-29"), "2024-02-29"),
        Arguments.of(LogicalType.of(Kind.DATE), days("0042-01-02"), "0042-01-02"),
        Arguments.of(LogicalType.of(Kind.TIME, 3), 86_399_987, "23-59-59_987"),
        Arguments.of(LogicalType.of(Kind.TIME, 0), 0, "00-00-00_000"),
        Arguments.of(
            LogicalType.of(Kind.TIMESTAMP, 6),
            micros("1969-12-31T23:59:59.999999"),
            "1969-12-31-23-59-59_999999"),
        Arguments.of(
            LogicalType.of(Kind.TIMESTAMP, 6),
            micros("2024-02-29T00:00:00"),
            "2024-02-29-00-00-00_"),
        Arguments.of(
            LogicalType.of(Kind.TIMESTAMP_LTZ, 3),
            micros("2024-02-29T12:30:00.120"),
            "2024-02-29-12-30-00_12"));
  }

  @ParameterizedTest
  @MethodSource("spellings")
  void spellsAndParses(LogicalType type, Object value, String spelling) {
    assertThat(PartitionValues.spell(value, type)).isEqualTo(spelling);
    assertThat(PartitionValues.parse(spelling, type)).isEqualTo(value);
  }

  @Test
  void bytesAreHex() {
    byte[] value = {0, -1, 16};
    assertThat(PartitionValues.spell(value, LogicalType.of(Kind.BYTES))).isEqualTo("00ff10");
    assertThat(PartitionValues.parse("00FF10", LogicalType.of(Kind.BINARY, 3))).isEqualTo(value);
  }

  @Test
  void timestampWithoutTimeOrWithNanosIsRead() {
    LogicalType type = LogicalType.of(Kind.TIMESTAMP, 9);
    assertThat(PartitionValues.parse("2024-02-29", type)).isEqualTo(micros("2024-02-29T00:00:00"));
    assertThat(PartitionValues.parse("1969-12-31-23-59-59_999999999", type)).isEqualTo(-1L);
  }

  @ParameterizedTest
  @CsvSource({
    "INTEGER, 1x",
    "TINYINT, 128",
    "BOOLEAN, yes",
    "DATE, 2024-02-30",
    "DATE, 20240229",
    "TIME, 24-00-00_000",
    "TIMESTAMP, 2024-01-01-25-00-00_",
    "BYTES, 0f0",
    "BYTES, zz",
    "DOUBLE, one"
  })
  void refusesWhatIsNoValueOfTheType(Kind kind, String spelling) {
    assertThatThrownBy(() -> PartitionValues.parse(spelling, LogicalType.of(kind)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'" + spelling + "' is no partition value of type " + kind);
  }

  @Test
  void refusesTypesThatCannotPartition() {
    LogicalType array = new LogicalType.Array(LogicalType.of(Kind.INTEGER), true);
    assertThatThrownBy(() -> PartitionValues.parse("1", array))
        .hasMessage("a partition column cannot have the type ARRAY<INTEGER>");
    assertThatThrownBy(() -> PartitionValues.spell(1, LogicalType.decimal(5, 2)))
        .hasMessage("a partition column cannot have the type DECIMAL(5,2)");
  }

  @Test
  void keysWithBytesAreEqualByContent() {
    PartitionKey key = new PartitionKey(List.of(new byte[] {1, 2}, 3));
    PartitionKey same = new PartitionKey(List.of(new byte[] {1, 2}, 3));
    assertThat(key).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(key).isNotEqualTo(new PartitionKey(List.of(new byte[] {1, 3}, 3)));
  }

  private static int days(String date) {
    return (int) LocalDate.parse(date).toEpochDay();
  }

  private static long micros(String timestamp) {
    LocalDateTime value = LocalDateTime.parse(timestamp);
    return ChronoUnit.MICROS.between(LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), value);
  }
}
