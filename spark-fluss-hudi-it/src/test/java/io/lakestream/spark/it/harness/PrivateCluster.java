package io.lakestream.spark.it.harness;

import io.lakestream.spark.catalog.LakestreamTiering;
import io.lakestream.spark.it.cluster.EmbeddedFluss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/**
 * A Fluss cluster of a test's own, which may be hurt, with a catalog of the environment's session
 * on it. Tables are made and filled by SQL. Not thread-safe.
 */
public final class PrivateCluster implements AutoCloseable {
  /** The database of its tables. */
  public static final String DATABASE = "db";

  private static final String CHECKPOINT = "high-watermark-checkpoint";
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final EmbeddedFluss fluss;
  private final Path directory;
  private final SparkSession spark;
  private final Path lake;
  private final String name;
  private int catalogs;
  private String catalog;

  private PrivateCluster(
      EmbeddedFluss fluss, Path directory, SparkSession spark, Path lake, String name) {
    this.fluss = fluss;
    this.directory = directory;
    this.spark = spark;
    this.lake = lake;
    this.name = name;
  }

  /**
   * Starts a cluster with a database.
   *
   * @param serverOptions options of the Fluss servers
   * @param catalogOptions options of the catalog beside its addresses
   */
  public static PrivateCluster start(
      Environment environment,
      int tabletServers,
      Map<String, String> serverOptions,
      Map<String, String> catalogOptions)
      throws IOException {
    String name = "private_" + COUNT.incrementAndGet();
    Path directory = environment.scratch(name);
    EmbeddedFluss fluss = EmbeddedFluss.start(directory, tabletServers, serverOptions);
    PrivateCluster cluster =
        new PrivateCluster(
            fluss, directory, environment.spark(), environment.scratch(name + "_lake"), name);
    try {
      cluster.catalog = cluster.catalog(catalogOptions);
      environment.sql("CREATE NAMESPACE " + cluster.catalog + "." + DATABASE);
    } catch (RuntimeException e) {
      fluss.close();
      throw e;
    }
    return cluster;
  }

  /** Configures another catalog on this cluster, and gives its name. */
  public String catalog(Map<String, String> options) {
    String added = name + "_" + ++catalogs;
    String prefix = "spark.sql.catalog." + added;
    spark.conf().set(prefix, "io.lakestream.spark.catalog.LakestreamCatalog");
    spark.conf().set(prefix + ".bootstrap.servers", fluss.bootstrapServers());
    spark.conf().set(prefix + ".hudi.catalog.path", lake.toString());
    options.forEach((key, value) -> spark.conf().set(prefix + "." + key, value));
    return added;
  }

  public EmbeddedFluss fluss() {
    return fluss;
  }

  /** The name of the catalog with which the cluster was started. */
  public String catalog() {
    return catalog;
  }

  /** The full name of a table of the database. */
  public String table(String table) {
    return catalog + "." + DATABASE + "." + table;
  }

  /** The folder of a table's lake. */
  public Path lake(String table) {
    return lake.resolve(DATABASE).resolve(table);
  }

  /** Inserts rows {@code (id INT, s STRING)}, whose texts do not compress, of ascending ids. */
  public void insert(String table, int from, int to) {
    spark.sql(
        "INSERT INTO %s SELECT CAST(id AS INT), sha2(CAST(id AS STRING), 256) FROM range(%d, %d, 1, 1)"
            .formatted(table(table), from, to));
  }

  /** Runs one tiering round of a table of the database. */
  public void tier(String table) {
    LakestreamTiering.tierOnce(spark, catalog, DATABASE + "." + table);
  }

  /**
   * Whether the tablet servers have written down that so many buckets have acknowledged so many
   * rows. A lone server that comes back cuts its log to what it had written down.
   */
  public boolean isDurable(int buckets, long rows) throws IOException {
    long found = 0;
    try (Stream<Path> files = Files.walk(directory, 2)) {
      for (Path file : files.filter(each -> each.endsWith(CHECKPOINT)).toList()) {
        found +=
            Files.readAllLines(file).stream().filter(line -> line.endsWith(" " + rows)).count();
      }
    }
    return found >= buckets;
  }

  /** The rows of a query, in which {@code {t}} stands for a table of the database. */
  public List<List<Object>> rows(String table, String query) {
    return Answer.of(spark.sql(query.replace("{t}", table(table)))).rows();
  }

  @Override
  public void close() {
    fluss.close();
  }
}
