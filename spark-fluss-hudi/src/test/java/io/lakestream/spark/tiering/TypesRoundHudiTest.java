package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import scala.collection.JavaConverters;

/** Every type through base files, log blocks and compaction. */
class TypesRoundHudiTest extends HudiTieringTestBase {
  private static final LogBucket BUCKET = new LogBucket(null, 0);

  /** 2024-02-29 23:59:59.987654 UTC in microseconds. */
  private static final long MICROS = 1_709_251_199_987_654L;

  private static final long MILLIS_AS_MICROS = 1_709_251_199_987_000L;

  private static final long BEFORE_GREGORIAN = -14_000_000_000_123_456L;

  @Test
  void baseFilesAndLogBlocksHoldTheSameValues() throws IOException {
    use(table());
    change(ChangeKind.INSERT, 1, values());
    change(ChangeKind.INSERT, 2, nulls());
    change(ChangeKind.INSERT, 3, nulls());
    round();
    Dataset<Row> written = spark.read().parquet(baseFiles().get(0).toString());
    change(ChangeKind.UPDATE_AFTER, 2, values());
    change(ChangeKind.INSERT, 4, nulls());
    round();
    tiering.compact(cluster.table.path(), settings, 1).orElseThrow();
    Dataset<Row> compacted = spark.read().parquet(baseFiles().get(1).toString());
    assertThat(row(written, 1)).isEqualTo(readBack());
    assertThat(row(compacted, 1)).isEqualTo(row(written, 1));
    assertThat(row(compacted, 2)).isEqualTo(row(written, 1));
    assertThat(row(compacted, 3)).isEqualTo(row(written, 2));
    assertThat(row(compacted, 4)).isEqualTo(row(written, 2));
  }

  /** The base files, the older first. */
  private List<Path> baseFiles() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("lake"))) {
      return files
          .filter(file -> file.toString().endsWith(".parquet"))
          .sorted(Comparator.comparing(file -> FSUtils.getCommitTime(file.toString())))
          .toList();
    }
  }

  private static List<Object> row(Dataset<Row> rows, int id) {
    Row row = rows.where("id = " + id).first();
    List<Object> values = new ArrayList<>();
    for (String name : types().keySet()) {
      Object value = row.getAs(name);
      values.add(value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value);
    }
    return values;
  }

  private void change(ChangeKind kind, int id, Map<String, Object> values) {
    List<Object> row = new ArrayList<>();
    row.add(id);
    row.addAll(values.values());
    cluster.append(BUCKET, kind, row.toArray());
  }

  private static LogTable table() {
    List<TableColumn> columns = new ArrayList<>();
    columns.add(new TableColumn("id", LogicalType.of(Kind.INTEGER).withNullable(false), null));
    types().forEach((name, type) -> columns.add(new TableColumn(name, type, null)));
    return TestTables.table(
        "types", new TableSchema(columns), List.of("id"), List.of(), List.of("id"), 1);
  }

  private static Map<String, LogicalType> types() {
    Map<String, LogicalType> types = new LinkedHashMap<>();
    types.put("c_bool", LogicalType.of(Kind.BOOLEAN));
    types.put("c_tiny", LogicalType.of(Kind.TINYINT));
    types.put("c_small", LogicalType.of(Kind.SMALLINT));
    types.put("c_big", LogicalType.of(Kind.BIGINT));
    types.put("c_float", LogicalType.of(Kind.FLOAT));
    types.put("c_double", LogicalType.of(Kind.DOUBLE));
    types.put("c_dec5", LogicalType.decimal(5, 2));
    types.put("c_dec18", LogicalType.decimal(18, 4));
    types.put("c_dec38", LogicalType.decimal(38, 10));
    types.put("c_char", LogicalType.of(Kind.CHAR, 4));
    types.put("c_string", LogicalType.of(Kind.STRING));
    types.put("c_binary", LogicalType.of(Kind.BINARY, 3));
    types.put("c_bytes", LogicalType.of(Kind.BYTES));
    types.put("c_date", LogicalType.of(Kind.DATE));
    types.put("c_time", LogicalType.of(Kind.TIME, 3));
    for (int precision : new int[] {0, 3, 6, 9}) {
      types.put("c_ts" + precision, LogicalType.of(Kind.TIMESTAMP, precision));
      types.put("c_ltz" + precision, LogicalType.of(Kind.TIMESTAMP_LTZ, precision));
    }
    types.put("c_tsold", LogicalType.of(Kind.TIMESTAMP, 6));
    types.put("c_ltzold", LogicalType.of(Kind.TIMESTAMP_LTZ, 6));
    types.put("c_dateold", LogicalType.of(Kind.DATE));
    types.put("c_array", new LogicalType.Array(LogicalType.of(Kind.SMALLINT), true));
    types.put("c_tsarray", new LogicalType.Array(LogicalType.of(Kind.TIMESTAMP, 3), true));
    types.put(
        "c_map",
        new LogicalType.Map(
            LogicalType.of(Kind.STRING).withNullable(false), LogicalType.decimal(7, 1), true));
    types.put(
        "c_row",
        new LogicalType.Row(
            List.of(
                new LogicalType.Field("a", LogicalType.of(Kind.TINYINT)),
                new LogicalType.Field("b", LogicalType.of(Kind.TIMESTAMP_LTZ, 6)),
                new LogicalType.Field(
                    "c",
                    new LogicalType.Row(
                        List.of(new LogicalType.Field("d", LogicalType.decimal(5, 2))), true))),
            true));
    return types;
  }

  private static Map<String, Object> nulls() {
    Map<String, Object> values = new LinkedHashMap<>();
    types().keySet().forEach(name -> values.put(name, null));
    return values;
  }

  private static Map<String, Object> values() {
    Map<String, Object> values = nulls();
    values.put("c_bool", true);
    values.put("c_tiny", (byte) -7);
    values.put("c_small", (short) -300);
    values.put("c_big", Long.MIN_VALUE);
    values.put("c_float", 1.5f);
    values.put("c_double", -2.25);
    values.put("c_dec5", decimal("-123.45", 5, 2));
    values.put("c_dec18", decimal("12345678901234.5678", 18, 4));
    values.put("c_dec38", decimal("-1234567890123456789012345678.0123456789", 38, 10));
    values.put("c_char", UTF8String.fromString("ab"));
    values.put("c_string", UTF8String.fromString("grüße"));
    values.put("c_binary", new byte[] {1, 2, 3});
    values.put("c_bytes", new byte[] {0, 9});
    values.put("c_date", 19_782);
    values.put("c_time", 86_399_987);
    values.put("c_ts0", 1_709_251_199_000_000L);
    values.put("c_ltz0", 1_709_251_199_000_000L);
    values.put("c_ts3", MILLIS_AS_MICROS);
    values.put("c_ltz3", MILLIS_AS_MICROS);
    values.put("c_ts6", MICROS);
    values.put("c_ltz6", MICROS);
    values.put("c_ts9", MICROS);
    values.put("c_ltz9", MICROS);
    values.put("c_tsold", BEFORE_GREGORIAN);
    values.put("c_ltzold", BEFORE_GREGORIAN);
    values.put("c_dateold", -200_000);
    values.put("c_array", new GenericArrayData(new Object[] {(short) 1, null, (short) -2}));
    values.put("c_tsarray", new GenericArrayData(new Object[] {MILLIS_AS_MICROS, null}));
    values.put(
        "c_map",
        new ArrayBasedMapData(
            new GenericArrayData(
                new Object[] {UTF8String.fromString("k"), UTF8String.fromString("z")}),
            new GenericArrayData(new Object[] {decimal("-9.5", 7, 1), null})));
    values.put(
        "c_row",
        new GenericInternalRow(
            new Object[] {
              (byte) -1, MICROS, new GenericInternalRow(new Object[] {decimal("1.25", 5, 2)})
            }));
    return values;
  }

  /** What plain Spark reads from the files: the two kinds of timestamps have changed places. */
  private static List<Object> readBack() {
    Instant instant = Instant.parse("2024-02-29T23:59:59.987654Z");
    Instant millis = Instant.parse("2024-02-29T23:59:59.987Z");
    Instant seconds = Instant.parse("2024-02-29T23:59:59Z");
    Instant old = Instant.parse("1526-05-11T23:06:39.876544Z");
    Map<String, Object> map = new HashMap<>();
    map.put("k", new BigDecimal("-9.5"));
    map.put("z", null);
    return List.of(
        true,
        -7,
        -300,
        Long.MIN_VALUE,
        1.5f,
        -2.25,
        new BigDecimal("-123.45"),
        new BigDecimal("12345678901234.5678"),
        new BigDecimal("-1234567890123456789012345678.0123456789"),
        "ab",
        "grüße",
        "010203",
        "0009",
        LocalDate.parse("2024-02-29"),
        86_399_987,
        seconds,
        local(seconds),
        millis,
        local(millis),
        instant,
        local(instant),
        instant,
        local(instant),
        old,
        local(old),
        LocalDate.parse("1422-06-03"),
        JavaConverters.asScalaBuffer(Arrays.asList(1, null, -2)),
        JavaConverters.asScalaBuffer(Arrays.asList(millis, null)),
        JavaConverters.mapAsScalaMap(map),
        RowFactory.create(-1, local(instant), RowFactory.create(new BigDecimal("1.25"))));
  }

  private static LocalDateTime local(Instant instant) {
    return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
  }

  private static Decimal decimal(String text, int precision, int scale) {
    return Decimal.apply(new BigDecimal(text), precision, scale);
  }
}
