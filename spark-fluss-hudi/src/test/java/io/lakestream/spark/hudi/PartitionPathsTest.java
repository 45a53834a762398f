package io.lakestream.spark.hudi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.types.PartitionKey;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hudi.common.util.PartitionPathEncodeUtils;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The spelling of partitions as folders. */
class PartitionPathsTest {
  private static PartitionPaths paths(boolean hiveStyle, boolean encoded, String... types) {
    return new PartitionPaths(
        IntStream.range(0, types.length)
            .mapToObj(i -> new PartitionPaths.Column("p" + i, DeclaredTypes.parse(types[i])))
            .toList(),
        hiveStyle,
        encoded);
  }

  private static PartitionKey key(Object... values) {
    return new PartitionKey(Arrays.asList(values));
  }

  @ParameterizedTest
  @CsvSource({
    "STRING, 2026-08-01, 2026-08-01",
    "CHAR(3), abc, abc",
    "BOOLEAN, true, true",
    "TINYINT, -7, -7",
    "SMALLINT, 300, 300",
    "INT, 12, 12",
    "BIGINT, 9000000000, 9000000000",
    "DOUBLE, 1.5, 1.5",
    "DATE, 20485, 20485",
    "TIME, 3600000, 3600000",
  })
  void valuesAreSpelledAsFlussTieringDoes(String type, String path, String value) {
    PartitionPaths paths = paths(false, false, type);

    PartitionKey key = paths.parse(path);

    assertThat(key.values().get(0)).hasToString(value);
    assertThat(paths.format(key)).isEqualTo(path);
  }

  @Test
  @Tag("R-03")
  @Tag("R-05")
  void bothSpellingsOfADateAreOneDay() {
    PartitionPaths paths = paths(false, false, "DATE");
    int day = (int) LocalDate.of(2022, 11, 30).toEpochDay();

    assertThat(paths.parse("2022-11-30")).isEqualTo(key(day));
    assertThat(paths.parse(String.valueOf(day))).isEqualTo(key(day));
    assertThat(paths.parse("-1")).isEqualTo(key(-1));
    assertThat(paths.format(key(day))).isEqualTo(String.valueOf(day));
  }

  @Test
  void timestampsAreMicrosecondsOfUtc() {
    PartitionPaths paths = paths(false, false, "TIMESTAMP(3)", "TIMESTAMP_LTZ(6)");

    PartitionKey key = paths.parse("1970-01-01T00:00:01.500/1969-12-31T23:59:59.999999");

    assertThat(key).isEqualTo(key(1_500_000L, -1L));
    assertThat(paths.format(key)).isEqualTo("1970-01-01-00-00-01_5/1969-12-31-23-59-59_999999");
    assertThat(paths.parse(paths.format(key))).isEqualTo(key);
  }

  @Test
  void hiveStyleAndEncodingAreTakenAsTheTableHasThem() {
    PartitionKey key = key(UTF8String.fromString("a/b=c%"), 5);

    assertThat(paths(true, true, "STRING", "INT").format(key)).isEqualTo("p0=a%2Fb%3Dc%25/p1=5");
    assertThat(paths(true, true, "STRING", "INT").parse("p0=a%2Fb%3Dc%25/p1=5")).isEqualTo(key);
    assertThat(paths(false, false, "STRING").parse("a%2Fb"))
        .isEqualTo(key(UTF8String.fromString("a%2Fb")));
    assertThat(paths(false, true, "STRING").parse("__HIVE_DEFAULT_PARTITION__"))
        .isEqualTo(key((Object) null));
  }

  @Test
  void encodingIsHudisOwnForEveryCharacter() {
    PartitionPaths paths = paths(false, true, "STRING");
    for (char c = 1; c < 0x250; c++) {
      String text = "x" + c + "y";
      PartitionKey key = key(UTF8String.fromString(text));
      assertThat(paths.format(key)).isEqualTo(PartitionPathEncodeUtils.escapePathName(text));
      assertThat(paths.parse(paths.format(key))).isEqualTo(key);
    }
  }

  @Test
  void pathsThatDoNotFitAreRefused() {
    assertThatThrownBy(() -> paths(false, false, "INT").parse("1/2"))
        .hasMessage("partition path '1/2' does not have 1 segments");
    assertThatThrownBy(() -> paths(true, false, "INT").parse("q=1"))
        .hasMessage("partition path 'q=1' lacks 'p0=' in segment 'q=1'");
    assertThatThrownBy(() -> paths(false, false, "INT").parse("x"))
        .hasMessage("partition path 'x': 'x' is no INTEGER for column p0");
    assertThatThrownBy(() -> paths(false, false).parse("x"))
        .hasMessageContaining("without partition columns");
    assertThat(paths(false, false).parse("")).isEqualTo(PartitionKey.NONE);
    assertThat(List.of("DECIMAL(3,1)", "ARRAY<INT>"))
        .noneMatch(type -> PartitionPaths.supports(DeclaredTypes.parse(type)));
  }
}
