package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;

import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.PlacementCase;
import io.lakestream.spark.it.harness.TableSpec;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Timestamps and dates: the same instant in the log, in a lake log file and in a base file. */
class TimestampTest extends IntegrationTest {
  private static final LocalDateTime LEAP_DAY =
      LocalDateTime.of(2024, 2, 29, 23, 59, 59, 987_000_000);

  @TestFactory
  @Tag("R-21")
  Stream<DynamicNode> millisecondsInEveryKindOfFile() {
    return run(
        PlacementCase.of(
                "R-21",
                TableSpec.keyed("id INT, a TIMESTAMP(3), b TIMESTAMP_LTZ(3), c TIMESTAMP(6)", "id"))
            .base(put(times(1, LEAP_DAY.minusSeconds(1)), times(4, LEAP_DAY)))
            .lake(put(times(2, LEAP_DAY), times(1, LEAP_DAY)))
            .tail(put(times(3, LEAP_DAY.plusNanos(1_000_000))))
            .query("SELECT * FROM {t}")
            .query("SELECT min(a), max(a) FROM {t}", row(LEAP_DAY, LEAP_DAY.plusNanos(1_000_000)))
            .query("SELECT min(b), max(b), min(c), max(c) FROM {t}")
            .query(
                "SELECT id FROM {t} WHERE a BETWEEN TIMESTAMP_NTZ'2024-02-29 23:59:59.987'"
                    + " AND TIMESTAMP_NTZ'2024-02-29 23:59:59.987'",
                row(1),
                row(2),
                row(4))
            .query(
                "SELECT a, count(*) FROM {t} GROUP BY a",
                row(LEAP_DAY, 3L),
                row(LEAP_DAY.plusNanos(1_000_000), 1L)));
  }

  private static Row times(int id, LocalDateTime time) {
    return row(id, time, time.toInstant(ZoneOffset.UTC), time.plusNanos(123_000));
  }

  @TestFactory
  @Tag("R-22")
  Stream<DynamicNode> beforeTheEpochAndBelowTheMillisecond() {
    String columns = "id INT, a TIMESTAMP(6), b TIMESTAMP_LTZ(6), arr ARRAY<TIMESTAMP(6)>";
    LocalDateTime lastMicrosecond = LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000);
    LocalDateTime lastMillisecond = LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_000_000);
    LocalDateTime longAgo = LocalDateTime.of(1950, 1, 1, 0, 0, 0, 1_000);
    LocalDateTime recent = LocalDateTime.of(2024, 1, 1, 0, 0, 0, 123_456_000);
    return Stream.of(
            PlacementCase.of("R-22 log", TableSpec.log(columns)),
            PlacementCase.of("R-22 PK", TableSpec.keyed(columns, "id")))
        .map(
            table ->
                table
                    .lake(put(inArray(1, lastMicrosecond), inArray(2, longAgo)))
                    .tail(put(inArray(3, lastMillisecond), inArray(4, recent)))
                    .query(
                        "SELECT * FROM {t}",
                        inArray(1, lastMicrosecond),
                        inArray(2, longAgo),
                        inArray(3, lastMillisecond),
                        inArray(4, recent))
                    .query(
                        "SELECT id FROM {t} WHERE a < TIMESTAMP_NTZ'1970-01-01 00:00:00'",
                        row(1),
                        row(2),
                        row(3))
                    .query(
                        "SELECT id FROM {t} WHERE b > TIMESTAMP'1969-12-31 23:59:59.999Z'",
                        row(1),
                        row(4)))
        .flatMap(this::run);
  }

  private static Row inArray(int id, LocalDateTime time) {
    return row(id, time, time.toInstant(ZoneOffset.UTC), List.of(time, time.minusNanos(1_000)));
  }

  /** Every precision that Fluss has; Spark holds microseconds, so later digits are cut. */
  @TestFactory
  @Tag("R-22")
  Stream<DynamicNode> everyPrecision() {
    String columns =
        "id INT, a0 TIMESTAMP(0), a1 TIMESTAMP(1), a3 TIMESTAMP(3), a4 TIMESTAMP(4),"
            + " a6 TIMESTAMP(6), a9 TIMESTAMP(9), b0 TIMESTAMP_LTZ(0), b2 TIMESTAMP_LTZ(2),"
            + " b3 TIMESTAMP_LTZ(3), b5 TIMESTAMP_LTZ(5), b6 TIMESTAMP_LTZ(6),"
            + " b9 TIMESTAMP_LTZ(9), d DATE";
    LocalDateTime negative = LocalDateTime.of(1901, 12, 13, 20, 45, 51);
    // The last second whose every nanosecond Fluss can hold in a TIMESTAMP(9).
    LocalDateTime late = LocalDateTime.of(2262, 4, 11, 23, 47, 15);
    return Stream.of(
            PlacementCase.of("precisions log", TableSpec.log(columns)),
            PlacementCase.of("precisions PK", TableSpec.keyed(columns, "id")))
        .map(
            table ->
                table
                    .lake(put(precisions(1, negative), precisions(2, late)))
                    .tail(put(precisions(3, negative), precisions(4, late), nulls(5)))
                    .query("SELECT * FROM {t}")
                    .query("SELECT a9, b9 FROM {t} WHERE id IN (1, 4)")
                    .query("SELECT count(*) FROM {t} WHERE a0 IS NULL AND b9 IS NULL", row(1L)))
        .flatMap(this::run);
  }

  private static Row precisions(int id, LocalDateTime second) {
    Instant instant = second.toInstant(ZoneOffset.UTC);
    return row(
        id,
        second,
        second.plusNanos(900_000_000),
        second.plusNanos(987_000_000),
        second.plusNanos(987_600_000),
        second.plusNanos(987_654_000),
        second.plusNanos(987_654_321),
        instant,
        instant.plusNanos(980_000_000),
        instant.plusNanos(987_000_000),
        instant.plusNanos(987_650_000),
        instant.plusNanos(987_654_000),
        instant.plusNanos(987_654_321),
        second.toLocalDate());
  }

  private static Row nulls(int id) {
    Object[] values = new Object[14];
    values[0] = id;
    return row(values);
  }

  /** Where calendars differ: a Parquet file that says nothing of its calendar is read as it is. */
  @TestFactory
  @Tag("R-22")
  Stream<DynamicNode> yearsBeforeTheGregorianCalendar() {
    return run(
        PlacementCase.of(
                "ancient", TableSpec.log("id INT, d DATE, a TIMESTAMP(6), b TIMESTAMP_LTZ(6)"))
            .lake(put(ancient(1, LocalDate.of(1, 1, 1)), ancient(2, LocalDate.of(1582, 10, 4))))
            .tail(
                put(ancient(3, LocalDate.of(1500, 2, 28)), ancient(4, LocalDate.of(9999, 12, 31))))
            .query("SELECT * FROM {t}")
            .query("SELECT id FROM {t} WHERE d < DATE'1582-10-15'", row(1), row(2), row(3)));
  }

  private static Row ancient(int id, LocalDate date) {
    LocalDateTime time = date.atTime(23, 59, 59, 999_999_000);
    return row(id, date, time, time.toInstant(ZoneOffset.UTC));
  }
}
