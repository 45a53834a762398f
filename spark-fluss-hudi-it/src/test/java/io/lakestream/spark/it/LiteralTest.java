package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;

import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Literals of dates and times, whatever Java type they arrive in and whatever the session's zone.
 */
@Tag("R-17")
class LiteralTest extends IntegrationTest {
  private static final String COLUMNS = "id INT, z TIMESTAMP_LTZ(6), nz TIMESTAMP(6), d DATE";
  private static final Row[] ROWS = {
    at(1, "2021-07-03T05:06:07"), at(2, "2021-07-03T05:06:08"), at(3, "1969-12-31T23:59:59")
  };

  private static Row at(int id, String utc) {
    LocalDateTime time = LocalDateTime.parse(utc);
    return row(id, Instant.parse(utc + "Z"), time, time.toLocalDate().plusDays(id));
  }

  /** The same rows, of which the first so many are in the lake. */
  private TestTable placed(TableSpec spec, int tiered) {
    TestTable table = create("t" + tiered, spec);
    table.apply(put(Arrays.copyOf(ROWS, tiered)));
    if (tiered > 0) {
      table.tier();
    }
    table.apply(put(Arrays.copyOfRange(ROWS, tiered, ROWS.length)));
    return table;
  }

  private List<TestTable> tables;

  @ParameterizedTest(name = "java8API={0}, zone {1}")
  @CsvSource({
    "false, UTC, 05:06:07",
    "true, UTC, 05:06:07",
    "false, Asia/Tokyo, 14:06:07",
    "true, Asia/Tokyo, 14:06:07"
  })
  void equalityRangeAndList(String java8, String zone, String time) throws Exception {
    if (tables == null) {
      TableSpec keyed = TableSpec.keyed(COLUMNS, "id");
      TableSpec partitioned = TableSpec.log(COLUMNS).partitionedBy("d");
      tables =
          List.of(
              placed(keyed, 0),
              placed(keyed, 1),
              placed(keyed, ROWS.length),
              placed(partitioned, 0),
              placed(partitioned, ROWS.length));
    }
    String z = "TIMESTAMP'2021-07-03 " + time + "'";
    String nz = "TIMESTAMP_NTZ'2021-07-03 05:06:07'";
    LocalDate day = LocalDate.of(2021, 7, 4);
    List<String> conditions =
        List.of(
            "z = " + z,
            "z IN (" + z + ", TIMESTAMP'2000-01-01 00:00:00')",
            "z >= " + z + " AND z < " + z + " + INTERVAL 1 SECOND",
            "nz = " + nz,
            "nz IN (" + nz + ", TIMESTAMP_NTZ'2000-01-01 00:00:00')",
            "nz > TIMESTAMP_NTZ'2021-07-03 05:06:06.999999' AND nz <= " + nz,
            "d = DATE'" + day + "'",
            "d IN (DATE'" + day + "', DATE'1999-12-31')",
            "d BETWEEN DATE'" + day + "' AND DATE'" + day + "'");
    withSettings(
        Map.of("spark.sql.datetime.java8API.enabled", java8, "spark.sql.session.timeZone", zone),
        () -> {
          for (TestTable table : tables) {
            for (String condition : conditions) {
              assertRows(
                  EntryPoint.CATALOG, table, "SELECT id FROM {t} WHERE " + condition, row(1));
            }
            assertRows(
                table, "SELECT id FROM {t} WHERE nz < TIMESTAMP_NTZ'1970-01-01 00:00:00'", row(3));
          }
        });
  }
}
