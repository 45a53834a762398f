package io.lakestream.spark.it.fluss;

import static io.lakestream.spark.it.fluss.LogTables.column;
import static io.lakestream.spark.it.fluss.LogTables.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.it.cluster.EmbeddedFluss;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.log.LogReader;
import io.lakestream.spark.log.LogReaderFactory;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.TableColumn;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.metadata.TableChange;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.types.DataTypes;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranges, projections and changes of a running cluster. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LogReaderTest {
  private static final LogicalType INT = LogicalType.of(Kind.INTEGER);
  private static final LogicalType STRING = LogicalType.of(Kind.STRING);

  @TempDir static Path directory;
  private static EmbeddedFluss fluss;
  private static LogCluster cluster;
  private static Connection raw;

  @BeforeAll
  static void start() throws Exception {
    fluss = EmbeddedFluss.start(directory, 1, Map.of());
    cluster = LogTables.connect(fluss);
    raw = LogTables.rawConnection(fluss);
  }

  @AfterAll
  static void stop() throws Exception {
    raw.close();
    fluss.close();
  }

  private static LogTable numbers(String name, int count) throws Exception {
    LogTable table =
        LogTables.create(
            cluster,
            name,
            LogTables.logTable(column("id", INT), column("s", STRING), column("small", INT)));
    LogTables.write(
        cluster,
        table,
        IntStream.range(0, count)
            .mapToObj(i -> row(i, UTF8String.fromString("text " + i), i * 10))
            .toArray(InternalRow[]::new));
    return table;
  }

  private static LogRange range(long start, long stop) {
    return new LogRange(new LogBucket(null, 0), null, start, stop);
  }

  @Test
  void endsExactlyAtTheStopOffset() throws Exception {
    LogTable table = numbers("bounded", 5000);
    List<LogTables.Read> records = LogTables.read(cluster, table, range(1234, 4321), List.of("id"));
    assertThat(records)
        .extracting(LogTables.Read::offset)
        .containsExactlyElementsOf(IntStream.range(1234, 4321).mapToObj(i -> (long) i).toList());
    assertThat(records)
        .extracting(record -> record.row().getInt(0))
        .containsExactlyElementsOf(IntStream.range(1234, 4321).boxed().toList());
    assertThat(LogTables.read(cluster, table, range(7, 7), List.of("id"))).isEmpty();
  }

  @Test
  void projectsInTheWantedOrder() throws Exception {
    LogTable table = numbers("projected", 3);
    List<LogTables.Read> records =
        LogTables.read(cluster, table, range(0, 3), List.of("small", "id"));
    assertThat(records).extracting(record -> record.row().numFields()).containsOnly(2);
    assertThat(records)
        .extracting(record -> List.of(record.row().getInt(0), record.row().getInt(1)))
        .containsExactly(List.of(0, 0), List.of(10, 1), List.of(20, 2));
  }

  @Test
  void readsRowsWithoutColumns() throws Exception {
    LogTable table = numbers("columnless", 100);
    List<LogTables.Read> records = LogTables.read(cluster, table, range(10, 90), List.of());
    assertThat(records).hasSize(80);
    assertThat(records).extracting(record -> record.row().numFields()).containsOnly(0);
  }

  @Test
  void fetchesOnlyTheProjectedColumns() throws Exception {
    TableColumn[] columns =
        IntStream.range(0, 100).mapToObj(i -> column("c" + i, STRING)).toArray(TableColumn[]::new);
    LogTable table = LogTables.create(cluster, "wide", LogTables.logTable(columns));
    Object[] values =
        IntStream.range(0, 100)
            .mapToObj(i -> UTF8String.fromString(Integer.toHexString(i * 7919) + "-value"))
            .toArray();
    InternalRow[] rows = new InternalRow[2000];
    for (int i = 0; i < rows.length; i++) {
      Object[] changed = values.clone();
      changed[1] = UTF8String.fromString("row " + i);
      rows[i] = row(changed);
    }
    LogTables.write(cluster, table, rows);
    List<String> all = table.schema().columns().stream().map(TableColumn::name).toList();

    long everything = bytesFetched(table, all);
    long one = bytesFetched(table, List.of("c1"));
    long none = bytesFetched(table, List.of());
    assertThat(one).isPositive().isLessThan(everything / 10);
    assertThat(none).isPositive().isLessThan(everything / 10);
  }

  private static long bytesFetched(LogTable table, List<String> columns) throws Exception {
    try (LogReader reader =
        cluster.readerFactory(table).open(range(0, 2000), LogTables.columns(table, columns))) {
      int rows = 0;
      while (reader.next()) {
        rows++;
      }
      assertThat(rows).isEqualTo(2000);
      return reader.bytesFetched();
    }
  }

  @Test
  void readsColumnsThatWereAddedLater() throws Exception {
    LogTable before = numbers("evolved", 3);
    raw.getAdmin()
        .alterTable(
            TablePath.of("fluss", "evolved"),
            List.of(
                TableChange.addColumn(
                    "added", DataTypes.INT(), null, TableChange.ColumnPosition.last())),
            false)
        .get();
    LogTable after = cluster.table(before.path());
    assertThat(after.schemaId()).isGreaterThan(before.schemaId());
    LogTables.write(cluster, after, row(3, UTF8String.fromString("text 3"), 30, 33));

    assertThat(LogTables.read(cluster, after, range(0, 4), List.of("added", "id")))
        .extracting(r -> r.row().isNullAt(0) ? "null" : String.valueOf(r.row().getInt(0)))
        .containsExactly("null", "null", "null", "33");
    assertThat(LogTables.read(cluster, after, range(1, 4), List.of("small", "s")))
        .extracting(r -> r.row().getInt(0) + r.row().getString(1))
        .containsExactly("10text 1", "20text 2", "30text 3");
    assertThat(LogTables.read(cluster, before, range(2, 4), List.of()))
        .extracting(LogTables.Read::offset)
        .containsExactly(2L, 3L);
  }

  @Test
  void endsWhereOffsetsHoldNoRecord() throws Exception {
    LogTable table =
        LogTables.create(
            cluster,
            "deletes",
            LogTables.table(
                List.of("id"),
                List.of(),
                Map.of(),
                column("id", INT.withNullable(false)),
                column("s", STRING)));
    try (Table rawTable = raw.getTable(TablePath.of("fluss", "deletes"))) {
      UpsertWriter writer = rawTable.newUpsert().createWriter();
      writer.upsert(GenericRow.of(1, BinaryString.fromString("a"))).get();
      writer.upsert(GenericRow.of(1, BinaryString.fromString("b"))).get();
      writer.delete(GenericRow.of(1, null)).get();
      writer.delete(GenericRow.of(2, null)).get();
      writer.delete(GenericRow.of(3, null)).get();
    }
    LogRange whole = LogTables.wholeLog(cluster, table);
    List<LogTables.Read> records = LogTables.read(cluster, table, whole, List.of("s", "id"));
    assertThat(records)
        .extracting(r -> r.kind() + " " + r.row().getString(0) + "@" + r.offset())
        .containsExactly("INSERT a@0", "UPDATE_BEFORE a@1", "UPDATE_AFTER b@2", "DELETE b@3");
    assertThat(whole.stop()).as("offsets without a record").isGreaterThan(4);
    assertThat(
            LogTables.read(
                cluster, table, new LogRange(whole.bucket(), null, 4, whole.stop()), List.of("id")))
        .isEmpty();
  }

  @Test
  void readsManyPollsOfManyBatches() throws Exception {
    LogTable table = numbers("many", 0);
    for (int batch = 0; batch < 20; batch++) {
      int from = batch * 100;
      LogTables.write(
          cluster,
          table,
          IntStream.range(from, from + 100)
              .mapToObj(i -> row(i, UTF8String.fromString("t" + i), i))
              .toArray(InternalRow[]::new));
    }
    LogCluster smallPolls =
        LogTables.connect(
            fluss,
            new io.lakestream.spark.fluss.ReadSettings(
                LogTables.IMPATIENT.pollTimeout(), LogTables.IMPATIENT.idleTimeout(), 7));
    List<String> texts = new ArrayList<>();
    for (LogTables.Read record :
        LogTables.read(smallPolls, table, range(0, 2000), List.of("s", "id", "small"))) {
      assertThat(record.row().getInt(1)).isEqualTo(record.row().getInt(2));
      texts.add(record.row().getString(0));
    }
    assertThat(texts)
        .containsExactlyElementsOf(IntStream.range(0, 2000).mapToObj(i -> "t" + i).toList());
  }

  @Test
  void factorySurvivesSerializationWithoutShowingSecrets() throws Exception {
    LogTable table = numbers("serialized", 2);
    LogCluster secretive =
        io.lakestream.spark.fluss.FlussClusters.connect(
            Map.of(
                "bootstrap.servers",
                fluss.bootstrapServers(),
                "client.security.sasl.password",
                "hush"),
            java.time.Duration.ofSeconds(20),
            LogTables.IMPATIENT);
    LogReaderFactory factory = secretive.readerFactory(table);
    assertThat(factory.toString()).doesNotContain("hush").contains(fluss.bootstrapServers());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(factory);
    }
    LogReaderFactory copy;
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      copy = (LogReaderFactory) in.readObject();
    }
    try (LogReader reader = copy.open(range(0, 2), LogTables.columns(table, List.of("id")))) {
      assertThat(reader.next()).isTrue();
      assertThat(reader.next()).isTrue();
      assertThat(reader.next()).isFalse();
      assertThat(reader.next()).isFalse();
    }
  }

  @Test
  void droppedPartitionIsAnErrorNotAnEmptyAnswer() throws Exception {
    LogTable table =
        LogTables.create(
            cluster,
            "partitioned",
            LogTables.table(
                List.of(), List.of("p"), Map.of(), column("id", INT), column("p", STRING)));
    cluster.createPartition(table, List.of("gone"));
    LogPartition partition = cluster.partitions(table).get(0);
    LogTables.write(cluster, table, row(1, UTF8String.fromString("gone")));
    LogRange range = new LogRange(new LogBucket(partition.id(), 0), partition.name(), 0, 1);
    assertThat(LogTables.read(cluster, table, range, List.of("id"))).hasSize(1);

    cluster.dropPartition(table, List.of("gone"));
    assertThatThrownBy(() -> LogTables.read(cluster, table, range, List.of("id")))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.LOG_UNREADABLE))
        .hasMessageContaining("fluss.partitioned: the partition with id " + partition.id())
        .hasMessageContaining("partition gone, bucket 0");
    assertThat(cluster.latestOffsets(table, List.of(range.bucket()))).isEmpty();
  }

  @Test
  void replacedTableIsAnError() throws Exception {
    LogTable table = numbers("replaced", 2);
    LogReaderFactory factory = cluster.readerFactory(table);
    assertThat(cluster.dropTable(table.path())).isTrue();
    numbers("replaced", 1);
    assertThatThrownBy(() -> factory.open(range(0, 2), LogTables.columns(table, List.of("id"))))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_REPLACED))
        .hasMessageContaining("fluss.replaced: the table with id " + table.tableId() + " is gone");
    assertThatThrownBy(() -> cluster.latestOffsets(table, List.of(new LogBucket(null, 0))))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_REPLACED));
  }

  @Test
  void offsetsBeyondTheEndStallOrFail() throws Exception {
    LogTable table = numbers("short", 2);
    LogCluster hasty =
        LogTables.connect(
            fluss,
            new io.lakestream.spark.fluss.ReadSettings(
                java.time.Duration.ofMillis(200), java.time.Duration.ofSeconds(1), 100));
    assertThatThrownBy(() -> LogTables.read(hasty, table, range(0, 5), List.of("id")))
        .isInstanceOfSatisfying(
            LakestreamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LOG_STALLED))
        .hasMessageContaining(
            "bucket 0 made no progress at offset 2 of [0, 5) for 1 s; its leader is"
                + " tablet server 0.");
    assertThatThrownBy(() -> LogTables.read(cluster, table, range(4, 5), List.of("id")))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.LOG_UNREADABLE))
        .hasMessageContaining("bucket 0 has no offset 4");
  }

  @Test
  void unknownColumnIsAnError() throws Exception {
    LogTable table = numbers("columns", 1);
    StructType unknown = new StructType().add("nope", "int");
    assertThatThrownBy(() -> cluster.readerFactory(table).open(range(0, 1), unknown))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SCHEMA_MISMATCH))
        .hasMessageContaining("the column nope is not in the table any more, which has [id, s");
  }
}
