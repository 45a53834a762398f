package io.lakestream.spark.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.lake.AsOf;
import io.lakestream.spark.types.TablePath;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AsOfTextTest {
  private static final TablePath TABLE = new TablePath("db", "t");

  private static AsOf parse(String text, String zone) {
    return AsOfText.parse(TABLE, text, ZoneId.of(zone));
  }

  @Test
  void instants() {
    assertThat(parse("20261130193000123", "Asia/Tokyo"))
        .isEqualTo(new AsOf.RequestedTime("20261130193000123"));
    assertThat(parse("20261130193000", "Asia/Tokyo"))
        .isEqualTo(new AsOf.RequestedTime("20261130193000999"));
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-30 19:30:00.123456, UTC, 2026-11-30T19:30:00.123456Z",
    "2026-11-30 19:30:00, Asia/Tokyo, 2026-11-30T10:30:00Z",
    "2026-11-30, Asia/Tokyo, 2026-11-29T15:00:00Z",
    "2026-11-30T19:30:00Z, Asia/Tokyo, 2026-11-30T19:30:00Z",
    "2026-11-30 19:30:00+02:00, UTC, 2026-11-30T17:30:00Z",
    "1969-12-31 23:59:59.999999, UTC, 1969-12-31T23:59:59.999999Z"
  })
  void timestamps(String text, String zone, String moment) {
    assertThat(parse(text, zone)).isEqualTo(new AsOf.Moment(Instant.parse(moment)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tomorrow", "2026113019", "202611301930001234", "2026-13-01"})
  void othersAreRefused(String text) {
    assertThatThrownBy(() -> parse(text, "UTC"))
        .hasMessageContaining("db.t: 'as.of.instant' is '" + text + "'");
  }
}
