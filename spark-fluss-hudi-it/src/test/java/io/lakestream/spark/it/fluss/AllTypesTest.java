package io.lakestream.spark.it.fluss;

import static io.lakestream.spark.it.fluss.LogTables.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.cluster.EmbeddedFluss;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.log.NewTable;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.SparkTypes;
import io.lakestream.spark.types.TableColumn;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.AppendWriter;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.Decimal;
import org.apache.fluss.row.GenericArray;
import org.apache.fluss.row.GenericMap;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.TimestampLtz;
import org.apache.fluss.row.TimestampNtz;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.collection.JavaConverters;

/** Every type of Fluss: written by Fluss's own client, read by ours, and written by ours. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AllTypesTest {
  private static final LocalDateTime BEFORE_1970 =
      LocalDateTime.parse("1969-12-31T23:59:59.999999999");
  private static final LocalDateTime LONG_AGO = LocalDateTime.parse("1950-01-01T00:00:00.000001");

  @TempDir static Path directory;
  private static EmbeddedFluss fluss;
  private static LogCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    fluss = EmbeddedFluss.start(directory, 1, Map.of());
    cluster = LogTables.connect(fluss);
  }

  @AfterAll
  static void stop() {
    fluss.close();
  }

  private static TableColumn[] columns() {
    LogicalType nested =
        new LogicalType.Row(
            List.of(
                new LogicalType.Field("n", LogicalType.of(Kind.INTEGER)),
                new LogicalType.Field(
                    "times", new LogicalType.Array(LogicalType.of(Kind.TIMESTAMP, 6), true))),
            true);
    return new TableColumn[] {
      column("id", LogicalType.of(Kind.INTEGER).withNullable(false)),
      column("bool", LogicalType.of(Kind.BOOLEAN)),
      column("tiny", LogicalType.of(Kind.TINYINT)),
      column("small", LogicalType.of(Kind.SMALLINT)),
      column("big", LogicalType.of(Kind.BIGINT)),
      column("flt", LogicalType.of(Kind.FLOAT)),
      column("dbl", LogicalType.of(Kind.DOUBLE)),
      column("dec_small", LogicalType.decimal(7, 2)),
      column("dec_large", LogicalType.decimal(38, 18)),
      column("chr", LogicalType.of(Kind.CHAR, 5)),
      column("str", LogicalType.of(Kind.STRING)),
      column("bin", LogicalType.of(Kind.BINARY, 3)),
      column("byt", LogicalType.of(Kind.BYTES)),
      column("date", LogicalType.of(Kind.DATE)),
      column("time", LogicalType.of(Kind.TIME, 3)),
      column("ts0", LogicalType.of(Kind.TIMESTAMP, 0)),
      column("ts3", LogicalType.of(Kind.TIMESTAMP, 3)),
      column("ts6", LogicalType.of(Kind.TIMESTAMP, 6)),
      column("ts9", LogicalType.of(Kind.TIMESTAMP, 9)),
      column("ltz3", LogicalType.of(Kind.TIMESTAMP_LTZ, 3)),
      column("ltz6", LogicalType.of(Kind.TIMESTAMP_LTZ, 6)),
      column("ltz9", LogicalType.of(Kind.TIMESTAMP_LTZ, 9)),
      column("arr", new LogicalType.Array(LogicalType.of(Kind.STRING), true)),
      column("nested", new LogicalType.Array(nested, true)),
      column(
          "map",
          new LogicalType.Map(
              LogicalType.of(Kind.STRING).withNullable(false),
              new LogicalType.Array(LogicalType.of(Kind.BIGINT), true),
              true)),
      column("row", nested),
    };
  }

  private static TimestampNtz ntz(String timestamp) {
    return TimestampNtz.fromLocalDateTime(LocalDateTime.parse(timestamp));
  }

  private static TimestampLtz ltz(String instant) {
    return TimestampLtz.fromInstant(Instant.parse(instant));
  }

  private static GenericRow fullFlussRow() {
    GenericRow inner =
        GenericRow.of(
            7, new GenericArray(new Object[] {TimestampNtz.fromLocalDateTime(LONG_AGO), null}));
    return GenericRow.of(
        1,
        true,
        (byte) -128,
        (short) 32767,
        Long.MIN_VALUE,
        Float.NaN,
        -0.0,
        Decimal.fromBigDecimal(new BigDecimal("-250.01"), 7, 2),
        Decimal.fromBigDecimal(new BigDecimal("12345678901234567890.123456789012345678"), 38, 18),
        BinaryString.fromString("ab"),
        BinaryString.fromString("grün 水"),
        new byte[] {0, -1, 5},
        new byte[] {},
        (int) LocalDate.parse("1066-10-14").toEpochDay(),
        86_399_987,
        ntz("1969-12-31T23:59:59"),
        ntz("1969-12-31T23:59:59.987"),
        TimestampNtz.fromLocalDateTime(LONG_AGO),
        TimestampNtz.fromLocalDateTime(BEFORE_1970),
        ltz("1969-12-31T23:59:59.987Z"),
        ltz("2024-01-01T00:00:00.123456Z"),
        ltz("1969-12-31T23:59:59.999999999Z"),
        new GenericArray(new Object[] {BinaryString.fromString("x"), null}),
        new GenericArray(new Object[] {inner, null}),
        new GenericMap(
            Map.of(BinaryString.fromString("k"), new GenericArray(new Object[] {5L, null}))),
        inner);
  }

  /** The same values as users of Spark see them; nanoseconds are floored to microseconds. */
  private static Map<String, Object> fullSparkRow() {
    List<Object> times = new ArrayList<>();
    times.add(LONG_AGO);
    times.add(null);
    Map<String, Object> inner = new TreeMap<>(Map.of("n", 7, "times", times));
    List<Object> nested = new ArrayList<>();
    nested.add(inner);
    nested.add(null);
    List<Object> longs = new ArrayList<>();
    longs.add(5L);
    longs.add(null);
    List<Object> strings = new ArrayList<>();
    strings.add("x");
    strings.add(null);
    Map<String, Object> row = new HashMap<>();
    row.put("id", 1);
    row.put("bool", true);
    row.put("tiny", (byte) -128);
    row.put("small", (short) 32767);
    row.put("big", Long.MIN_VALUE);
    row.put("flt", Float.NaN);
    row.put("dbl", -0.0);
    row.put("dec_small", new BigDecimal("-250.01"));
    row.put("dec_large", new BigDecimal("12345678901234567890.123456789012345678"));
    row.put("chr", "ab");
    row.put("str", "grün 水");
    row.put("bin", List.of(0, -1, 5));
    row.put("byt", List.of());
    row.put("date", LocalDate.parse("1066-10-14"));
    row.put("time", 86_399_987);
    row.put("ts0", LocalDateTime.parse("1969-12-31T23:59:59"));
    row.put("ts3", LocalDateTime.parse("1969-12-31T23:59:59.987"));
    row.put("ts6", LONG_AGO);
    row.put("ts9", LocalDateTime.parse("1969-12-31T23:59:59.999999"));
    row.put("ltz3", Instant.parse("1969-12-31T23:59:59.987Z"));
    row.put("ltz6", Instant.parse("2024-01-01T00:00:00.123456Z"));
    row.put("ltz9", Instant.parse("1969-12-31T23:59:59.999999Z"));
    row.put("arr", strings);
    row.put("nested", nested);
    row.put("map", new TreeMap<>(Map.of("k", longs)));
    row.put("row", inner);
    return row;
  }

  private static Map<String, Object> nullRow(int id) {
    Map<String, Object> row = new HashMap<>();
    for (TableColumn column : columns()) {
      row.put(column.name(), null);
    }
    row.put("id", id);
    return row;
  }

  @Test
  void logTableInArrowFormat() throws Exception {
    roundTrip("log_arrow", LogTables.logTable(columns()));
  }

  @Test
  void logTableInIndexedFormat() throws Exception {
    NewTable table =
        LogTables.table(List.of(), List.of(), Map.of("table.log.format", "INDEXED"), columns());
    roundTrip("log_indexed", table);
  }

  @Test
  void primaryKeyTable() throws Exception {
    roundTrip("pk", LogTables.table(List.of("id"), List.of(), Map.of(), columns()));
  }

  private void roundTrip(String name, NewTable definition) throws Exception {
    LogTable table = LogTables.create(cluster, name, definition);
    assertThat(table.schema().columns()).containsExactly(columns());
    GenericRow nulls = new GenericRow(columns().length);
    nulls.setField(0, 2);
    writeRaw(name, table.hasPrimaryKey(), fullFlussRow(), nulls);

    List<LogTables.Read> fromFluss = readAll(table);
    assertThat(fromFluss).extracting(LogTables.Read::kind).containsExactly("INSERT", "INSERT");
    assertThat(toJava(table, fromFluss)).containsExactly(fullSparkRow(), nullRow(2));

    LogTable copy = LogTables.create(cluster, name + "_copy", definition);
    LogTables.write(
        cluster, copy, fromFluss.stream().map(LogTables.Read::row).toArray(InternalRow[]::new));
    assertThat(toJava(copy, readAll(copy))).containsExactly(fullSparkRow(), nullRow(2));
  }

  private static void writeRaw(String name, boolean primaryKey, GenericRow... rows)
      throws Exception {
    try (Connection connection = LogTables.rawConnection(fluss);
        Table raw = connection.getTable(TablePath.of("fluss", name))) {
      AppendWriter append = primaryKey ? null : raw.newAppend().createWriter();
      UpsertWriter upsert = primaryKey ? raw.newUpsert().createWriter() : null;
      for (GenericRow row : rows) {
        if (primaryKey) {
          upsert.upsert(row).get();
        } else {
          append.append(row).get();
        }
      }
    }
  }

  private static List<LogTables.Read> readAll(LogTable table) throws Exception {
    List<String> names = table.schema().columns().stream().map(TableColumn::name).toList();
    return LogTables.read(cluster, table, LogTables.wholeLog(cluster, table), names);
  }

  private static List<Map<String, Object>> toJava(LogTable table, List<LogTables.Read> records) {
    Function<Object, Object> converter =
        value ->
            CatalystTypeConverters.createToScalaConverter(table.schema().toSpark()).apply(value);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (LogTables.Read record : records) {
      rows.add(plain((org.apache.spark.sql.Row) converter.apply(record.row())));
    }
    return rows;
  }

  private static Map<String, Object> plain(org.apache.spark.sql.Row row) {
    Map<String, Object> values = new HashMap<>();
    for (int i = 0; i < row.length(); i++) {
      values.put(row.schema().fields()[i].name(), plain(row.get(i)));
    }
    return values;
  }

  private static Object plain(Object value) {
    if (value instanceof org.apache.spark.sql.Row row) {
      return plain(row);
    } else if (value instanceof scala.collection.Seq<?> seq) {
      List<Object> list = new ArrayList<>();
      JavaConverters.seqAsJavaListConverter(seq).asJava().forEach(item -> list.add(plain(item)));
      return list;
    } else if (value instanceof scala.collection.Map<?, ?> map) {
      Map<Object, Object> plain = new HashMap<>();
      JavaConverters.mapAsJavaMapConverter(map)
          .asJava()
          .forEach((key, item) -> plain.put(plain(key), plain(item)));
      return plain;
    } else if (value instanceof byte[] bytes) {
      List<Object> list = new ArrayList<>();
      for (byte item : bytes) {
        list.add((int) item);
      }
      return list;
    } else if (value instanceof java.sql.Timestamp timestamp) {
      return timestamp.toInstant();
    } else if (value instanceof java.sql.Date date) {
      return date.toLocalDate();
    }
    return value;
  }

  @Test
  void sparkSchemaIsTheDocumentedMapping() {
    LogTable table = LogTables.create(cluster, "mapping", LogTables.logTable(columns()));
    assertThat(table.schema().toSpark().apply("time").dataType().catalogString()).isEqualTo("int");
    assertThat(SparkTypes.toSpark(table.schema().column("map").type()).catalogString())
        .isEqualTo("map<string,array<bigint>>");
    assertThat(table.schema().toSpark().apply("ltz9").dataType().catalogString())
        .isEqualTo("timestamp");
  }
}
