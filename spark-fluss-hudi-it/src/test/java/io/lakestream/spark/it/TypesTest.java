package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.Placement;
import io.lakestream.spark.it.harness.PlacementCase;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every type of Fluss that Spark can hold, the same from both tiers. */
class TypesTest extends IntegrationTest {
  private static final String SCALARS =
      "id INT, bo BOOLEAN, ti TINYINT, sm SMALLINT, i INT, bi BIGINT, f FLOAT, d DOUBLE,"
          + " d5 DECIMAL(5,2), d18 DECIMAL(18,0), d38 DECIMAL(38,10), c CHAR(3), s STRING,"
          + " b4 BINARY(4), by BYTES, da DATE, t0 TIME(0), t3 TIME(3)";

  private static final String NESTED =
      "id INT, ai ARRAY<INT>, st ARRAY<STRING>, ad ARRAY<DECIMAL(20,3)>, ab ARRAY<BYTES>,"
          + " aa ARRAY<ARRAY<BIGINT>>, ms MAP<STRING, INT>,"
          + " mr MAP<STRING, ROW<x DOUBLE, y ARRAY<INT>>>,"
          + " r ROW<a TINYINT, b CHAR(2), c TIMESTAMP(3), d TIMESTAMP_LTZ(6), e DATE, f BINARY(2)>,"
          + " rr ROW<inn ROW<deep ROW<v STRING>, w SMALLINT>, l ARRAY<ROW<k STRING, v FLOAT>>>";

  @TestFactory
  Stream<DynamicNode> scalars() {
    return Stream.of(
            PlacementCase.of("scalars log", TableSpec.log(SCALARS)),
            PlacementCase.of("scalars PK", TableSpec.keyed(SCALARS, "id")))
        .map(
            table ->
                table
                    .lake(put(smallest(1), largest(2), nulls(3, 18)))
                    .tail(put(smallest(4), largest(5), nulls(6, 18), ordinary(7)))
                    .query("SELECT * FROM {t}")
                    .query("SELECT by, c, d38, id FROM {t}")
                    .query("SELECT count(*) FROM {t} WHERE isnan(d)", row(2L)))
        .flatMap(this::run);
  }

  private static Row smallest(int id) {
    return row(
        id,
        false,
        Byte.MIN_VALUE,
        Short.MIN_VALUE,
        Integer.MIN_VALUE,
        Long.MIN_VALUE,
        Float.NEGATIVE_INFINITY,
        -0.0,
        new BigDecimal("-999.99"),
        new BigDecimal("-999999999999999999"),
        new BigDecimal("-9999999999999999999999999999.9999999999"),
        "",
        "",
        new byte[] {0, 0, 0, 0},
        new byte[0],
        LocalDate.of(1600, 2, 29),
        0,
        0);
  }

  private static Row largest(int id) {
    return row(
        id,
        true,
        Byte.MAX_VALUE,
        Short.MAX_VALUE,
        Integer.MAX_VALUE,
        Long.MAX_VALUE,
        Float.NaN,
        Double.NaN,
        new BigDecimal("999.99"),
        new BigDecimal("999999999999999999"),
        new BigDecimal("9999999999999999999999999999.9999999999"),
        "z\u00e4\u4e2d",
        "quote ' \" \\ line\nemoji \ud83d\ude00",
        new byte[] {-1, 127, -128, 1},
        new byte[] {-1},
        LocalDate.of(9999, 12, 31),
        86_399_000,
        86_399_999);
  }

  private static Row ordinary(int id) {
    return row(
        id,
        true,
        (byte) 1,
        (short) -2,
        3,
        -4L,
        1.5f,
        Double.MIN_VALUE,
        new BigDecimal("0.00"),
        new BigDecimal("1"),
        new BigDecimal("0.0000000001"),
        "ab ",
        "plain",
        new byte[] {1, 2, 3, 4},
        new byte[] {1, 2},
        LocalDate.of(1969, 12, 31),
        3_600_000,
        1);
  }

  @TestFactory
  Stream<DynamicNode> nested() {
    return Stream.of(
            PlacementCase.of("nested log", TableSpec.log(NESTED)),
            PlacementCase.of("nested PK", TableSpec.keyed(NESTED, "id")))
        .map(
            table ->
                table
                    .lake(put(full(1), sparse(2), nulls(3, 10)))
                    .tail(put(full(4), sparse(5), nulls(6, 10)))
                    .query("SELECT * FROM {t}")
                    .query("SELECT rr.inn.deep.v, r.c, ms['a'] FROM {t}")
                    .query("SELECT id, rr.l.k, size(aa), mr['k'].y[1] FROM {t}"))
        .flatMap(this::run);
  }

  /** A Hudi table's schema is Avro, whose maps have text keys. */
  @TestFactory
  Stream<DynamicNode> mapsWithOtherKeysAreReadFromTheLog() {
    return run(
        PlacementCase.of("map keys", TableSpec.log("id INT, m MAP<INT, STRING>"))
            .tail(put(row(1, Map.of(7, "seven", -7, "")), row(2, Map.of()), row(3, null)))
            .query("SELECT * FROM {t}")
            .query("SELECT m[7] FROM {t} WHERE id = 1", row("seven"))
            .in(Placement.ALL_TAIL));
  }

  @Test
  void mapsWithOtherKeysAreNotTiered() {
    TestTable table = create("map_keys", TableSpec.log("id INT, m MAP<INT, STRING>"));
    table.apply(put(row(1, Map.of(7, "seven"))));
    assertThatThrownBy(table::tier)
        .hasMessageContaining("LAKESTREAM_TIERING_REFUSED")
        .hasMessageContaining("the column m cannot be tiered");
    assertThat(table.query(EntryPoint.CATALOG, "SELECT count(*) FROM {t}"))
        .isEqualTo(table.query(EntryPoint.FORMAT, "SELECT count(*) FROM {t}"));
  }

  private static Row full(int id) {
    return row(
        id,
        List.of(1, -2, 3),
        List.of("x", ""),
        List.of(new BigDecimal("12345678901234567.125")),
        List.of(new byte[] {1}, new byte[0]),
        List.of(List.of(1L, 2L), List.of()),
        Map.of("a", 1, "b", -1),
        Map.of("k", row(2.5, List.of(1, 2))),
        row(
            (byte) -1,
            "pq",
            LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_000_000),
            Instant.parse("1950-01-01T00:00:00.000001Z"),
            LocalDate.of(1950, 1, 1),
            new byte[] {9, -9}),
        row(row(row("deep"), (short) 5), List.of(row("k", 0.5f), row(null, null))));
  }

  private static Row sparse(int id) {
    Map<Object, Object> nullValue = new HashMap<>();
    nullValue.put("a", null);
    return row(
        id,
        Arrays.asList(null, 5, null),
        Arrays.asList("x", null),
        List.of(),
        Arrays.asList((Object) null),
        Arrays.asList(null, List.of(1L), Arrays.asList(null, 2L)),
        nullValue,
        Map.of("k", row(null, null)),
        row(null, null, null, null, null, null),
        row(row(null, null), null));
  }

  private static Row nulls(int id, int columns) {
    Object[] values = new Object[columns];
    values[0] = id;
    return row(values);
  }

  @TestFactory
  Stream<DynamicNode> columnsThatMayNotBeNull() {
    String columns = "id BIGINT NOT NULL, s STRING NOT NULL, a ARRAY<INT NOT NULL> NOT NULL";
    return run(
        PlacementCase.of("not null", TableSpec.log(columns))
            .lake(put(row(1L, "x", List.of(1))))
            .tail(put(row(2L, "y", List.of())))
            .query("SELECT * FROM {t}", row(1L, "x", List.of(1)), row(2L, "y", List.of()))
            .queryWithoutRows("SELECT * FROM {t} WHERE s IS NULL"));
  }

  @Test
  void tablesTellTheirTypesToSpark() {
    TestTable table =
        create(
            "types",
            TableSpec.log(
                "id INT NOT NULL, c CHAR(3), b BINARY(2), t TIME(3), n TIMESTAMP(9),"
                    + " z TIMESTAMP_LTZ(0), m MAP<STRING, ROW<a INT>>"));
    String types =
        "struct<id:int,c:string,b:binary,t:int,n:timestamp_ntz,z:timestamp,"
            + "m:map<string,struct<a:int>>>";

    assertThat(table.load().schema().catalogString()).isEqualTo(types);
    assertThat(sql("SELECT * FROM " + table.sqlName()).schema().catalogString()).isEqualTo(types);
    assertThat(table.load().schema().apply("id").nullable()).isFalse();
  }
}
