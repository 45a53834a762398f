package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.it.harness.Answer;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lake as of a point: by SQL, by option, by instant and by timestamp. */
@Tag("R-27")
class TimeTravelTest extends IntegrationTest {
  private static final DateTimeFormatter INSTANT = DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS");
  private static final DateTimeFormatter SQL =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");
  private static final Row[] FIRST = {row(1, "a"), row(2, "b"), row(3, "c"), row(4, "d")};
  private static final Row[] SECOND = {row(1, "a2"), row(3, "c"), row(4, "d"), row(5, "e")};

  private TestTable table;
  private String first;
  private String second;

  @BeforeAll
  void twoRoundsAndATail() {
    table = create("history", TableSpec.keyed("id INT, v STRING", "id"));
    table.apply(put(FIRST));
    first = table.tierOnce();
    table.apply(put(row(1, "a2")), delete(row(2, null)), put(row(5, "e")));
    second = table.tierOnce();
    table.apply(put(row(6, "f")), delete(row(5, null)));
  }

  @Test
  void versions() {
    assertAsOf("VERSION AS OF '" + first + "'", FIRST);
    assertAsOf("VERSION AS OF '" + second + "'", SECOND);
    assertAsOf("VERSION AS OF '" + plusMillis(first, 1) + "'", FIRST);
    assertAsOf("VERSION AS OF '" + plusMillis(second, -1) + "'", FIRST);
    assertAsOf("VERSION AS OF '" + plusMillis(second, 1) + "'", SECOND);
  }

  @Test
  void seconds() {
    assertAsOf("VERSION AS OF '" + second.substring(0, 14) + "'", SECOND);
  }

  @Test
  void timestampsInAnySessionZone() throws Exception {
    for (String zone : List.of("UTC", "Asia/Tokyo", "America/New_York")) {
      withSettings(
          Map.of("spark.sql.session.timeZone", zone),
          () -> {
            assertAsOf("TIMESTAMP AS OF '" + timestamp(first, zone) + "'", FIRST);
            assertAsOf("TIMESTAMP AS OF '" + timestamp(plusMillis(second, -1), zone) + "'", FIRST);
            assertAsOf("TIMESTAMP AS OF '" + timestamp(second, zone) + "'", SECOND);
            assertThat(rows(byOption(timestamp(plusMillis(second, -1), zone))))
                .containsExactlyInAnyOrderElementsOf(Answer.rows(List.of(FIRST)));
          });
    }
  }

  @Test
  void optionOfTheFormat() {
    assertThat(rows(byOption(first))).containsExactlyInAnyOrderElementsOf(rows(FIRST));
    assertThat(rows(byOption(second))).containsExactlyInAnyOrderElementsOf(rows(SECOND));
  }

  @Test
  void theLakeViewAndTheTableAgree() {
    assertThat(
            rows(sql("SELECT * FROM " + table.lakeOnlyName() + " VERSION AS OF '" + first + "'")))
        .containsExactlyInAnyOrderElementsOf(rows(FIRST));
  }

  @Test
  void twoPointsInOneQueryAreTwoSnapshots() {
    String join =
        "SELECT now.id, now.v, old.v FROM %1$s VERSION AS OF '%2$s' old"
            + " FULL OUTER JOIN %1$s now ON old.id = now.id";
    assertThat(rows(sql(join.formatted(table.sqlName(), first))))
        .containsExactlyInAnyOrderElementsOf(
            rows(
                row(1, "a2", "a"),
                row(null, null, "b"),
                row(3, "c", "c"),
                row(4, "d", "d"),
                row(6, "f", null)));
  }

  @Test
  void pointBeforeTheFirstRound() {
    assertThatThrownBy(() -> sql(asOf("VERSION AS OF '20200101000000000'")).collectAsList())
        .satisfies(
            thrown ->
                assertThat(coded(thrown, ErrorCode.LAKE_SNAPSHOT_GONE))
                    .contains(table.path())
                    .contains("20200101000000000")
                    .contains("Its oldest is " + first));
  }

  @Test
  void textThatIsNoPoint() {
    assertThatThrownBy(() -> sql(asOf("VERSION AS OF 'yesterday evening'")).collectAsList())
        .satisfies(
            thrown ->
                assertThat(coded(thrown, ErrorCode.INVALID_OPTION))
                    .contains("'as.of.instant' is 'yesterday evening'"));
  }

  @Test
  void pinAndPointTogetherAreRefused() {
    assertThatThrownBy(
            () ->
                environment()
                    .format()
                    .option("as.of.instant", first)
                    .option("snapshot.pin", "{}")
                    .load(table.path())
                    .collectAsList())
        .satisfies(
            thrown ->
                assertThat(coded(thrown, ErrorCode.INVALID_OPTION)).contains("'snapshot.pin'"));
  }

  @Test
  void tableThatWasNeverTiered() {
    TestTable fresh = create("fresh", TableSpec.keyed("id INT, v STRING", "id"));
    fresh.apply(put(row(1, "a")));
    assertThatThrownBy(
            () ->
                sql("SELECT * FROM " + fresh.sqlName() + " VERSION AS OF '" + first + "'")
                    .collectAsList())
        .satisfies(
            thrown -> assertThat(coded(thrown, ErrorCode.LAKE_NOT_FOUND)).contains(fresh.path()));
  }

  private void assertAsOf(String point, Row... expected) {
    assertThat(rows(sql(asOf(point))))
        .as(point)
        .containsExactlyInAnyOrderElementsOf(rows(expected));
  }

  private String asOf(String point) {
    return "SELECT * FROM " + table.sqlName() + " " + point;
  }

  private Dataset<Row> byOption(String point) {
    return environment().format().option("as.of.instant", point).load(table.path());
  }

  private static List<List<Object>> rows(Dataset<Row> dataset) {
    return Answer.of(dataset).rows();
  }

  private static List<List<Object>> rows(Row... rows) {
    return Answer.rows(List.of(rows));
  }

  private static String coded(Throwable thrown, ErrorCode code) {
    return ExceptionUtils.getThrowableList(thrown).stream()
        .filter(LakestreamException.class::isInstance)
        .map(LakestreamException.class::cast)
        .filter(own -> own.code() == code)
        .map(Throwable::getMessage)
        .findFirst()
        .orElse("no " + code + " in " + ExceptionUtils.getStackTrace(thrown));
  }

  private static String plusMillis(String instant, long millis) {
    return LocalDateTime.parse(instant, INSTANT).plusNanos(millis * 1_000_000).format(INSTANT);
  }

  /** The instant, whose timeline is in UTC, as a clock in the zone shows it. */
  private static String timestamp(String instant, String zone) {
    return LocalDateTime.parse(instant, INSTANT)
        .atZone(ZoneOffset.UTC)
        .withZoneSameInstant(ZoneId.of(zone))
        .format(SQL);
  }
}
