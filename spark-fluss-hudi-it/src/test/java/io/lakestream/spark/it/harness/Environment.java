package io.lakestream.spark.it.harness;

import io.lakestream.spark.it.cluster.EmbeddedFluss;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.commons.io.FileUtils;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.config.ConfigOptions;
import org.apache.fluss.config.Configuration;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * One Fluss cluster, one Spark session with the catalog {@code lake}, and one Fluss client beside
 * the product, for all tests of a JVM.
 */
public final class Environment implements AutoCloseable {
  public static final String CATALOG = "lake";

  private static final long REQUEST_TIMEOUT_SECONDS = 60;

  private static final String CHECKPOINT = "high-watermark-checkpoint";

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final Path directory;
  private final EmbeddedFluss fluss;
  private final List<Connection> connections = new ArrayList<>();
  private final SparkSession spark;

  private Environment(
      Path directory, EmbeddedFluss fluss, Connection connection, SparkSession spark) {
    this.directory = directory;
    this.fluss = fluss;
    this.connections.add(connection);
    this.spark = spark;
  }

  static Environment start() throws IOException {
    Path directory = Files.createTempDirectory("lakestream-it");
    EmbeddedFluss fluss = EmbeddedFluss.start(directory.resolve("fluss"), 1, Map.of());
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("lakestream-it")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.default.parallelism", "2")
            .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.datetime.java8API.enabled", "true")
            .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
            .config(
                "spark.sql.extensions",
                "io.lakestream.spark.extension.LakestreamSparkSessionExtension")
            .config("spark.sql.catalog." + CATALOG, "io.lakestream.spark.catalog.LakestreamCatalog")
            .config("spark.sql.catalog." + CATALOG + ".bootstrap.servers", fluss.bootstrapServers())
            .config(
                "spark.sql.catalog." + CATALOG + ".hudi.catalog.path",
                directory.resolve("lake").toString())
            .getOrCreate();
    return new Environment(directory, fluss, connect(fluss.bootstrapServers()), spark);
  }

  private static Connection connect(String bootstrapServers) {
    Configuration configuration = new Configuration();
    configuration.set(ConfigOptions.BOOTSTRAP_SERVERS, List.of(bootstrapServers));
    // Writers are not flushed: a flush has no time-out. So batches must not wait for more rows.
    configuration.set(ConfigOptions.CLIENT_WRITER_BATCH_TIMEOUT, Duration.ofMillis(1));
    // Else rows for a bucket without a leader are sent for ever, at the cost of all other tests.
    configuration.set(ConfigOptions.CLIENT_WRITER_RETRIES, 100_000);
    return ConnectionFactory.createConnection(configuration);
  }

  public SparkSession spark() {
    return spark;
  }

  public String bootstrapServers() {
    return fluss.bootstrapServers();
  }

  /** Whether the coordinator has learned of a table. */
  boolean hasNoticed(String table, long id) {
    try {
      return fluss.hasNoticed(table, id);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The directory under which tables are tiered, as {@code <database>/<table>}. */
  public Path lake() {
    return directory.resolve("lake");
  }

  /** A directory of its own for a test's files. */
  public Path scratch(String name) throws IOException {
    return Files.createDirectories(directory.resolve("scratch").resolve(name));
  }

  public Dataset<Row> sql(String text) {
    return spark.sql(text);
  }

  /** A reader of the format with the options that every table of this environment needs. */
  public DataFrameReader format() {
    return spark
        .read()
        .format("lakestream")
        .option("bootstrap.servers", bootstrapServers())
        .option("hudi.catalog.path", lake().toString());
  }

  public Connection connection() {
    return connections.get(connections.size() - 1);
  }

  /**
   * Goes on with another connection. The writers of a connection share a sender, which asks for the
   * partitions that it once wrote to for ever, and keeps other tables waiting when one was dropped.
   */
  void renewConnection() {
    connections.add(connect(bootstrapServers()));
  }

  public Admin admin() {
    return connection().getAdmin();
  }

  /**
   * Kills the tablet server and starts it again, for tests that run alone. A lone server cuts its
   * log to what it had written down, so it is given the time to write down what it acknowledged.
   */
  public void restartTabletServer() throws IOException {
    Path checkpoint = directory.resolve("fluss").resolve("data-0").resolve(CHECKPOINT);
    // The first to come may have been begun before.
    awaitNewer(checkpoint);
    awaitNewer(checkpoint);
    fluss.killTabletServer(0);
    fluss.startTabletServer(0);
  }

  private static void awaitNewer(Path file) throws IOException {
    FileTime before = Files.getLastModifiedTime(file);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(REQUEST_TIMEOUT_SECONDS);
    while (Files.getLastModifiedTime(file).equals(before)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(file + " is not written again");
      }
      Thread.onSpinWait();
    }
  }

  /** Waits for a request of the Fluss client. */
  public static <T> T await(CompletableFuture<T> request) {
    try {
      return request.get(REQUEST_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("a request of the test itself failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * The client closes a connection when its sender has sent everything. One that still asks for a
   * dropped partition never gets there, so the wait has an end; the threads are daemons.
   */
  private void closeConnections() throws InterruptedException {
    List<Thread> closing = new ArrayList<>();
    for (Connection connection : connections) {
      Thread thread = new Thread(() -> close(connection), "close-connection");
      thread.setDaemon(true);
      thread.start();
      closing.add(thread);
    }
    long deadline = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
    for (Thread thread : closing) {
      thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
    }
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (Exception e) {
      throw new IllegalStateException("a connection of the test itself does not close", e);
    }
  }

  @Override
  public void close() throws Exception {
    spark.stop();
    closeConnections();
    fluss.close();
    FileUtils.deleteDirectory(directory.toFile());
  }
}
