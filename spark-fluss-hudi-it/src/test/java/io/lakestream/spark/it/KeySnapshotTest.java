package io.lakestream.spark.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.catalog.LakestreamTiering;
import io.lakestream.spark.it.cluster.EmbeddedFluss;
import io.lakestream.spark.it.harness.Answer;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.ScanMetrics;
import io.lakestream.spark.it.harness.SnapshotPin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.GenericRow;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Primary-key tables that the lake has nothing of, read from key snapshots, on a cluster that makes
 * them every second and moves its small log segments away at once.
 */
class KeySnapshotTest extends IntegrationTest {
  private static final String CATALOG = "key_snapshots";
  private static final Duration DEADLINE = Duration.ofSeconds(90);

  private EmbeddedFluss fluss;
  private Connection connection;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    fluss =
        EmbeddedFluss.start(
            directory.resolve("fluss"),
            1,
            Map.of(
                "kv.snapshot.interval", "1s",
                "log.segment.file-size", "64kb",
                "remote.log.task-interval-duration", "500ms"));
    Configuration client = new Configuration();
    client.setString("bootstrap.servers", fluss.bootstrapServers());
    client.setString("client.writer.batch-timeout", "1ms");
    connection = ConnectionFactory.createConnection(client);
    var conf = environment().spark().conf();
    conf.set("spark.sql.catalog." + CATALOG, "io.lakestream.spark.catalog.LakestreamCatalog");
    conf.set("spark.sql.catalog." + CATALOG + ".bootstrap.servers", fluss.bootstrapServers());
    conf.set(
        "spark.sql.catalog." + CATALOG + ".hudi.catalog.path",
        directory.resolve("lake").toString());
    sql("CREATE NAMESPACE " + CATALOG + ".db");
  }

  @AfterAll
  void stop() throws Exception {
    connection.close();
    fluss.close();
  }

  /** A table by its name, and the rows that it must have. */
  private final class Model {
    private final TablePath path;
    private final Map<Integer, List<Object>> rows = new TreeMap<>();

    Model(String columns, String more) {
      this.path = TablePath.of("db", uniqueName("k"));
      sql("CREATE TABLE %s (%s) %s".formatted(sqlName(), columns, more));
    }

    String sqlName() {
      return CATALOG + "." + path;
    }

    void put(int from, int to, int version, String... partition) throws Exception {
      write(from, to, version, false, partition);
    }

    void delete(int from, int to, String... partition) throws Exception {
      write(from, to, 0, true, partition);
    }

    private void write(int from, int to, int version, boolean deletes, String... partition)
        throws Exception {
      try (Table table = connection.getTable(path)) {
        UpsertWriter writer = table.newUpsert().createWriter();
        for (int id = from; id < to; id++) {
          // Text that does not compress, so that segments fill up.
          String text =
              new Random(31L * id + version)
                  .longs(12)
                  .mapToObj(Long::toHexString)
                  .collect(Collectors.joining());
          List<Object> row = new ArrayList<>(List.of(id, text));
          row.addAll(List.of(partition));
          GenericRow value = new GenericRow(row.size());
          value.setField(0, id);
          value.setField(1, BinaryString.fromString(text));
          for (int i = 0; i < partition.length; i++) {
            value.setField(2 + i, BinaryString.fromString(partition[i]));
          }
          if (deletes) {
            writer.delete(value);
            rows.remove(id);
          } else {
            writer.upsert(value);
            rows.put(id, row);
          }
        }
        writer.flush();
      }
    }

    /** Waits until all changes so far of all buckets are in key snapshots. */
    void awaitSnapshots(String... partition) throws Exception {
      var admin = connection.getAdmin();
      int buckets = admin.getTableInfo(path).get().getNumBuckets();
      await(
          () -> {
            var snapshots =
                partition.length == 0
                    ? admin.getLatestKvSnapshots(path).get()
                    : admin.getLatestKvSnapshots(path, partition[0]).get();
            for (int bucket = 0; bucket < buckets; bucket++) {
              OptionalLong held = snapshots.getLogOffset(bucket);
              if (held.isEmpty() || held.getAsLong() < end(bucket, partition)) {
                return false;
              }
            }
            return true;
          });
    }

    private long end(int bucket, String... partition) throws Exception {
      return offset(bucket, new OffsetSpec.LatestSpec(), partition);
    }

    private long offset(int bucket, OffsetSpec spec, String... partition) throws Exception {
      var admin = connection.getAdmin();
      var result =
          partition.length == 0
              ? admin.listOffsets(path, List.of(bucket), spec)
              : admin.listOffsets(path, partition[0], List.of(bucket), spec);
      return result.bucketResult(bucket).get();
    }

    Dataset<Row> read() {
      return sql("SELECT * FROM " + sqlName());
    }

    void assertRows() {
      assertThat(Answer.of(read()).rows())
          .containsExactlyInAnyOrderElementsOf(List.copyOf(rows.values()));
    }
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("deadline of a key snapshot").isLessThan(deadline);
      Thread.sleep(100);
    }
  }

  private static String properties(int buckets, String more) {
    return "TBLPROPERTIES ('primary.key'='id', 'bucket.num'='%d'%s)".formatted(buckets, more);
  }

  @Test
  void rowsWhoseLogHasExpired() throws Exception {
    Model model =
        new Model(
            "id INT NOT NULL, s STRING",
            properties(1, ", 'table.log.ttl'='1s', 'table.log.tiered.local-segments'='1'"));
    model.put(0, 3_000, 1);
    model.delete(100, 200);
    model.put(2_900, 3_100, 2);
    model.awaitSnapshots();
    await(
        () -> {
          // New changes let the cluster roll its segments, of which it then deletes the old ones.
          model.put(0, 200, 3);
          return model.offset(0, new OffsetSpec.EarliestSpec()) > 0;
        });
    model.awaitSnapshots();

    model.assertRows();
    ScanMetrics metrics = ScanMetrics.of(model.read());
    assertThat(metrics.sum("keySnapshotRows")).isEqualTo(model.rows.size());
    assertThat(metrics.sum(ScanMetrics.LOG_ROWS)).isZero();
  }

  @Test
  void changesAfterTheSnapshotAndAPinOfIt() throws Exception {
    Model model = new Model("id INT NOT NULL, s STRING", properties(2, ""));
    model.put(0, 500, 1);
    model.awaitSnapshots();
    Dataset<Row> read = model.read();
    String pin = SnapshotPin.of(read);
    List<List<Object>> pinned = List.copyOf(model.rows.values());
    assertThat(pin).contains("\"keySnapshot\"");

    for (int round = 2; round < 6; round++) {
      model.delete(10 * round, 10 * round + 5);
      model.put(10 * round + 2, 500 + 10 * round, round);
      model.assertRows();
    }
    model.awaitSnapshots();
    model.assertRows();
    assertThat(
            Answer.of(
                    environment()
                        .spark()
                        .read()
                        .format("lakestream")
                        .option("bootstrap.servers", fluss.bootstrapServers())
                        .option("snapshot.pin", pin)
                        .load(model.path.toString()))
                .rows())
        .as("the rows of the pin, whose snapshot a lease holds")
        .containsExactlyInAnyOrderElementsOf(pinned);
  }

  @Test
  void columnAddedAfterTheSnapshot() throws Exception {
    Model model = new Model("id INT NOT NULL, s STRING", properties(1, ""));
    model.put(0, 10, 1);
    model.awaitSnapshots();
    sql("ALTER TABLE " + model.sqlName() + " ADD COLUMN n BIGINT");

    Dataset<Row> read = sql("SELECT id, n FROM " + model.sqlName() + " WHERE n IS NULL");
    assertThat(read.count()).isEqualTo(10);
    assertThat(ScanMetrics.of(read).sum("keySnapshotRows")).isEqualTo(10);
    sql("INSERT INTO " + model.sqlName() + " VALUES (3, 'three', 33)");
    assertThat(Answer.of(sql("SELECT id, s, n FROM " + model.sqlName() + " WHERE n > 0")).rows())
        .containsExactly(List.of(3, "three", 33L));
    assertThat(sql("SELECT count(*), count(n) FROM " + model.sqlName()).first().getLong(0))
        .isEqualTo(10);
  }

  @Test
  void partitionThatTheLakeDoesNotHaveYet() throws Exception {
    Model model =
        new Model(
            "id INT NOT NULL, s STRING, p STRING NOT NULL",
            "PARTITIONED BY (p) TBLPROPERTIES ('primary.key'='id,p', 'bucket.num'='1')");
    sql("ALTER TABLE " + model.sqlName() + " ADD PARTITION (p='a')");
    model.put(0, 50, 1, "a");
    LakestreamTiering.tierOnce(environment().spark(), CATALOG, model.path.toString());
    sql("ALTER TABLE " + model.sqlName() + " ADD PARTITION (p='b')");
    model.put(50, 120, 1, "b");
    model.awaitSnapshots("b");
    model.put(110, 130, 2, "b");
    model.put(0, 5, 3, "a");

    model.assertRows();
    assertThat(ScanMetrics.of(model.read()).sum("keySnapshotRows")).isGreaterThanOrEqualTo(70);
  }

  @Test
  void remoteStorageThatCannotBeRead() throws Exception {
    Model model = new Model("id INT NOT NULL, s STRING", properties(1, ""));
    model.put(0, 10, 1);
    model.awaitSnapshots();
    model.assertRows();
    Path remote = fluss.remoteDataDirectory().resolve("kv");
    Path aside = remote.resolveSibling("kv-aside");
    Dataset<Row> planned = model.read();
    planned.queryExecution().executedPlan();
    Files.move(remote, aside);
    try {
      assertThatThrownBy(planned::collectAsList)
          .hasStackTraceContaining("LAKESTREAM_LOG_UNREADABLE")
          .hasStackTraceContaining(model.path + ": bucket 0: the key snapshot ");
    } finally {
      if (Files.exists(remote)) {
        org.apache.commons.io.FileUtils.deleteDirectory(remote.toFile());
      }
      Files.move(aside, remote);
    }
    model.assertRows();
  }
}
