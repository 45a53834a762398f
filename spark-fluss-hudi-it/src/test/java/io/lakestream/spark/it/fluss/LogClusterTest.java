package io.lakestream.spark.it.fluss;

import static io.lakestream.spark.it.fluss.LogTables.column;
import static io.lakestream.spark.it.fluss.LogTables.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.fluss.FlussClusters;
import io.lakestream.spark.it.cluster.EmbeddedFluss;
import io.lakestream.spark.log.LakeSnapshot;
import io.lakestream.spark.log.LakeSnapshotReporter;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.log.LogWriter;
import io.lakestream.spark.log.NewTable;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.PartitionKey;
import io.lakestream.spark.types.PartitionValues;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.apache.spark.unsafe.types.UTF8String;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Databases, tables, partitions, offsets and lake snapshots of a running cluster. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LogClusterTest {
  private static final int ATTEMPTS = 3;

  private static final LogicalType INT = LogicalType.of(Kind.INTEGER);
  private static final LogicalType STRING = LogicalType.of(Kind.STRING);

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

  private static void assertCode(ErrorCode code, String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            LakestreamException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  @Test
  void createsAndDropsDatabasesAndTables() {
    cluster.createDatabase("shop", "what we sell", Map.of("owner", "me"));
    assertThat(cluster.databases()).contains("fluss", "shop");
    assertThat(cluster.databaseExists("shop")).isTrue();
    assertThat(cluster.databaseExists("none")).isFalse();
    assertThat(cluster.address()).isEqualTo(fluss.bootstrapServers());

    TablePath path = new TablePath("shop", "orders");
    NewTable definition =
        new NewTable(
            new TableSchema(
                List.of(
                    new TableColumn("Id", INT.withNullable(false), "the key"),
                    column("day", LogicalType.of(Kind.DATE).withNullable(false)),
                    column("price", LogicalType.decimal(10, 2)))),
            List.of("Id", "day"),
            List.of("day"),
            List.of("Id"),
            OptionalInt.of(3),
            Map.of("table.log.ttl", "3 d"),
            Map.of("lakestream.lake", "hudi"),
            "orders of the shop");
    assertThat(cluster.tableExists(path)).isFalse();
    cluster.createTable(path, definition);
    assertThat(cluster.tableExists(path)).isTrue();
    assertThat(cluster.tables("shop")).containsExactly("orders");

    LogTable table = cluster.table(path);
    assertThat(table.schema()).isEqualTo(definition.schema());
    assertThat(table.primaryKey()).containsExactly("Id", "day");
    assertThat(table.partitionColumns()).containsExactly("day");
    assertThat(table.bucketColumns()).containsExactly("Id");
    assertThat(table.buckets()).isEqualTo(3);
    assertThat(table.properties()).containsEntry("table.log.ttl", "3 d");
    assertThat(table.customProperties()).containsExactlyEntriesOf(definition.customProperties());
    assertThat(table.comment()).isEqualTo("orders of the shop");

    assertCode(
        ErrorCode.TABLE_ALREADY_EXISTS, "shop.orders", () -> cluster.createTable(path, definition));
    assertCode(ErrorCode.NAMESPACE_NOT_EMPTY, "shop: ", () -> cluster.dropDatabase("shop", false));
    assertThat(cluster.dropTable(path)).isTrue();
    assertThat(cluster.dropTable(path)).isFalse();
    assertCode(
        ErrorCode.TABLE_NOT_FOUND,
        "shop.orders: cannot list offsets",
        () -> cluster.latestOffsets(table, List.of(new LogBucket(null, 0))));
    assertCode(
        ErrorCode.TABLE_NOT_FOUND,
        "shop.orders: cannot open a writer",
        () -> cluster.writerFactory(table).open());
    cluster.dropDatabase("shop", false);
    assertThat(cluster.databaseExists("shop")).isFalse();
  }

  @Test
  void namesWhatIsMissing() {
    TablePath path = new TablePath("fluss", "nothing");
    assertCode(
        ErrorCode.TABLE_NOT_FOUND, "fluss.nothing: cannot describe", () -> cluster.table(path));
    assertCode(
        ErrorCode.NAMESPACE_NOT_FOUND,
        "nowhere.t: ",
        () ->
            cluster.createTable(
                new TablePath("nowhere", "t"), LogTables.logTable(column("id", INT))));
    assertCode(
        ErrorCode.NAMESPACE_NOT_FOUND, "nowhere: ", () -> cluster.dropDatabase("nowhere", true));
  }

  @Test
  void refusesDefinitionsThatFlussRefuses() {
    assertCode(
        ErrorCode.INVALID_TABLE_DEFINITION,
        "fluss.bad: ",
        () ->
            cluster.createTable(
                new TablePath("fluss", "bad"),
                LogTables.table(List.of("missing"), List.of(), Map.of(), column("id", INT))));
    assertCode(
        ErrorCode.INVALID_TABLE_DEFINITION,
        "fluss.bad: ",
        () ->
            cluster.createTable(
                new TablePath("fluss", "bad"),
                LogTables.table(
                    List.of(),
                    List.of(),
                    Map.of("table.no.such.property", "1"),
                    column("id", INT))));
  }

  @Test
  void everyPartitionTypeIsTypedAndSpelledBack() throws Exception {
    Map<LogicalType, Object> values = new LinkedHashMap<>();
    values.put(STRING, UTF8String.fromString("a_b-c"));
    values.put(LogicalType.of(Kind.CHAR, 2), UTF8String.fromString("xy"));
    values.put(LogicalType.of(Kind.BOOLEAN), true);
    values.put(LogicalType.of(Kind.BINARY, 2), new byte[] {1, -1});
    values.put(LogicalType.of(Kind.BYTES), new byte[] {-128, 0, 7});
    values.put(LogicalType.of(Kind.TINYINT), (byte) -5);
    values.put(LogicalType.of(Kind.SMALLINT), (short) 300);
    values.put(INT, -70_000);
    values.put(LogicalType.of(Kind.BIGINT), 1L << 40);
    values.put(LogicalType.of(Kind.DATE), -1);
    values.put(LogicalType.of(Kind.TIME, 3), 86_399_987);
    values.put(LogicalType.of(Kind.FLOAT), 1.5e-7f);
    values.put(LogicalType.of(Kind.DOUBLE), -0.1);
    values.put(LogicalType.of(Kind.TIMESTAMP, 6), -1L);
    values.put(LogicalType.of(Kind.TIMESTAMP, 3), 1_700_000_000_120_000L);
    values.put(LogicalType.of(Kind.TIMESTAMP_LTZ, 6), 1_700_000_000_000_001L);
    int number = 0;
    for (Map.Entry<LogicalType, Object> entry : values.entrySet()) {
      LogicalType type = entry.getKey().withNullable(false);
      LogTable table = writtenTable("partition_type_" + number++, type, entry.getValue());
      List<LogPartition> partitions = cluster.partitions(table);
      assertThat(partitions).as(type.toString()).hasSize(1);
      assertThat(partitions.get(0).key()).isEqualTo(new PartitionKey(List.of(entry.getValue())));
      assertThat(PartitionValues.spell(entry.getValue(), type)).isEqualTo(partitions.get(0).name());
    }
  }

  /**
   * A table with one row, whose partition Fluss itself names, by what our writer hands it. The 0.9
   * coordinator may overlook a partition; then the row is written to another table.
   */
  private static LogTable writtenTable(String name, LogicalType type, Object value)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      LogTable table =
          LogTables.create(
              cluster,
              name + "_" + attempt,
              LogTables.table(
                  List.of(), List.of("p"), Map.of(), column("id", INT), column("p", type)));
      try {
        LogTables.write(cluster, table, row(1, value));
        return table;
      } catch (LakestreamException e) {
        if (e.code() != ErrorCode.WRITE_FAILED || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  @Test
  void partitionsComeAndGo() {
    LogTable table =
        LogTables.create(
            cluster,
            "comings",
            LogTables.table(
                List.of(),
                List.of("day", "region"),
                Map.of(),
                column("id", INT),
                column("region", STRING),
                column("day", INT)));
    assertThat(cluster.partitions(table)).isEmpty();
    cluster.createPartition(table, List.of("7", "eu"));
    cluster.createPartition(table, List.of("7", "eu"));
    LogPartition partition = cluster.partitions(table).get(0);
    assertThat(partition.name()).isEqualTo("7$eu");
    assertThat(partition.key())
        .isEqualTo(new PartitionKey(List.of(7, UTF8String.fromString("eu"))));
    LogBucket there = new LogBucket(partition.id(), 0);
    LogBucket gone = new LogBucket(partition.id() + 1000, 0);
    assertThat(cluster.latestOffsets(table, List.of(there, gone)))
        .containsExactly(Map.entry(there, 0L));
    assertThat(cluster.earliestOffsets(table, List.of(there)))
        .containsExactly(Map.entry(there, 0L));
    cluster.dropPartition(table, List.of("7", "eu"));
    cluster.dropPartition(table, List.of("7", "eu"));
    assertThat(cluster.partitions(table)).isEmpty();
    assertCode(
        ErrorCode.INVALID_TABLE_DEFINITION,
        "a partition needs values for [day, region], not [7].",
        () -> cluster.createPartition(table, List.of("7")));
  }

  @Test
  void lakeSnapshotsArePreparedCommittedAndReadBack() throws Exception {
    LogTable table =
        LogTables.create(
            cluster,
            "tiered",
            new NewTable(
                new TableSchema(List.of(column("id", INT))),
                List.of(),
                List.of(),
                List.of(),
                OptionalInt.of(2),
                Map.of(),
                Map.of(),
                null));
    assertThat(cluster.readableLakeSnapshot(table)).isEmpty();
    LakeSnapshotReporter reporter = cluster.snapshotReporter(table);
    Map<LogBucket, Long> first = Map.of(new LogBucket(null, 0), 5L, new LogBucket(null, 1), 0L);
    String path = reporter.prepare(first);
    assertThat(Files.readString(Path.of(java.net.URI.create(path))))
        .contains("\"bucket_offsets\":[5,0]");
    assertThat(cluster.readableLakeSnapshot(table)).as("before the commit").isEmpty();

    reporter.commit(20261130193000123L, path, first);
    LakeSnapshot snapshot = cluster.readableLakeSnapshot(table).orElseThrow();
    assertThat(snapshot).isEqualTo(new LakeSnapshot(20261130193000123L, first));
    assertThat(snapshot.instant()).isEqualTo("20261130193000123");

    Map<LogBucket, Long> second = Map.of(new LogBucket(null, 0), 9L, new LogBucket(null, 1), 4L);
    reporter.commit(20261130193500456L, reporter.prepare(second), second);
    assertThat(cluster.readableLakeSnapshot(table))
        .contains(new LakeSnapshot(20261130193500456L, second));
  }

  @Test
  void lakeSnapshotOfPartitions() throws Exception {
    LogTable table =
        LogTables.create(
            cluster,
            "tiered_partitions",
            LogTables.table(
                List.of(), List.of("p"), Map.of(), column("id", INT), column("p", INT)));
    LogTables.write(cluster, table, row(1, 10), row(2, 20), row(3, 20));
    Map<LogBucket, Long> offsets = new LinkedHashMap<>();
    for (LogPartition partition : cluster.partitions(table)) {
      offsets.put(new LogBucket(partition.id(), 0), 1L);
    }
    LakeSnapshotReporter reporter = cluster.snapshotReporter(table);
    reporter.commit(7L, reporter.prepare(offsets), offsets);
    assertThat(cluster.readableLakeSnapshot(table)).contains(new LakeSnapshot(7L, offsets));
  }

  @Test
  void reportsForAReplacedTableAreRefused() {
    LogTable table = LogTables.create(cluster, "again", LogTables.logTable(column("id", INT)));
    cluster.dropTable(table.path());
    LogTables.create(cluster, "again", LogTables.logTable(column("id", INT)));
    assertCode(
        ErrorCode.TABLE_REPLACED,
        "fluss.again: the table with id " + table.tableId(),
        () -> cluster.snapshotReporter(table).prepare(Map.of(new LogBucket(null, 0), 1L)));
    assertCode(
        ErrorCode.TABLE_REPLACED,
        "fluss.again: the table with id " + table.tableId(),
        () -> cluster.snapshotReporter(table).commit(1, "x", Map.of()));
    assertCode(
        ErrorCode.TABLE_REPLACED,
        "fluss.again: the table with id " + table.tableId(),
        () -> cluster.writerFactory(table).open());
  }

  @Test
  void refusedRowsFailTheWriter() throws Exception {
    LogTable table =
        LogTables.create(
            cluster,
            "strict",
            LogTables.table(
                List.of("id"),
                List.of(),
                Map.of(),
                column("id", INT.withNullable(false)),
                column("n", INT)));
    assertCode(
        ErrorCode.WRITE_FAILED,
        "fluss.strict: a row has null in the column id, which is INTEGER NOT NULL.",
        () -> LogTables.write(cluster, table, row(null, 1)));
    LogTables.write(cluster, table, row(1, 1));
    assertThat(LogTables.wholeLog(cluster, table).stop()).isEqualTo(1);
  }

  @Test
  void tableDroppedUnderAWriterFailsTheFlush() throws Exception {
    LogTable table = LogTables.create(cluster, "vanishing", LogTables.logTable(column("id", INT)));
    LogCluster hasty =
        LogTables.connect(
            fluss,
            new io.lakestream.spark.fluss.ReadSettings(
                Duration.ofMillis(200), Duration.ofSeconds(3), 100));
    try (LogWriter writer = hasty.writerFactory(table).open()) {
      writer.write(row(1));
      writer.flush();
      cluster.dropTable(table.path());
      writer.write(row(2));
      assertCode(ErrorCode.WRITE_FAILED, "fluss.vanishing: ", writer::flush);
    }
  }

  @Test
  void nobodyAtTheAddressIsAClearError() throws Exception {
    int freePort;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      freePort = socket.getLocalPort();
    }
    LogCluster nobody =
        FlussClusters.connect(
            Map.of("bootstrap.servers", "127.0.0.1:" + freePort),
            Duration.ofSeconds(10),
            LogTables.IMPATIENT);
    assertCode(
        ErrorCode.CLUSTER_UNREACHABLE, "Fluss cluster at 127.0.0.1:" + freePort, nobody::databases);
  }

  @Test
  void silentAddressIsAClearError() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      LogCluster nobody =
          FlussClusters.connect(
              Map.of("bootstrap.servers", "127.0.0.1:" + silent.getLocalPort()),
              Duration.ofSeconds(2),
              LogTables.IMPATIENT);
      assertCode(ErrorCode.CLUSTER_UNREACHABLE, "no answer within 2000 ms", nobody::databases);
    }
  }

  @Test
  void badOptionsAreNamed() {
    assertCode(
        ErrorCode.INVALID_OPTION,
        "bootstrap.servers: the option is missing.",
        () -> FlussClusters.connect(Map.of(), Duration.ofSeconds(5), LogTables.IMPATIENT));
    LogCluster noPort =
        FlussClusters.connect(
            Map.of("bootstrap.servers", "somewhere"), Duration.ofSeconds(5), LogTables.IMPATIENT);
    assertCode(ErrorCode.INVALID_OPTION, "somewhere", noPort::databases);
    LogCluster badValue =
        FlussClusters.connect(
            Map.of("bootstrap.servers", fluss.bootstrapServers(), "client.connect-timeout", "soon"),
            Duration.ofSeconds(5),
            LogTables.IMPATIENT);
    assertCode(ErrorCode.INVALID_OPTION, "client.connect-timeout", badValue::databases);
  }

  @Test
  void readerFactoryKnowsTheRemoteDirectoryOfALocalCluster() {
    LogTable table = LogTables.create(cluster, "local", LogTables.logTable(column("id", INT)));
    assertThat(cluster.readerFactory(table)).isNotNull();
  }
}
