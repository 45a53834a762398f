package io.lakestream.spark.it.quickstart;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.it.cluster.EmbeddedFluss;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/**
 * Shows a union read from start to end: starts a Fluss cluster and a local Spark, makes a log table
 * of 300 columns and a primary-key table, tiers the older part of each into Hudi, and compares
 * queries over both tiers with plain Spark over the source rows. Exits with 1 if they differ.
 *
 * <p>System properties: {@code scale} (TPC-H scale factor, default 0.01), {@code serve} (stay up at
 * the end), {@code bootstrap.servers} (use this cluster instead of starting one).
 */
public final class QuickStart {
  private static final String BY_CHANNEL =
      "SELECT channel, count(*) AS impressions, count_if(clicked) AS clicks, sum(revenue) AS revenue"
          + " FROM %s GROUP BY channel ORDER BY channel";
  private static final String BY_PRIORITY =
      "SELECT o_orderpriority, count(*) AS orders, sum(o_totalprice) AS total,"
          + " max(o_orderdate) AS newest FROM %s GROUP BY o_orderpriority ORDER BY o_orderpriority";

  /** Touches every column of every row: equal only if the two hold the same multiset of rows. */
  private static final String EVERY_VALUE =
      "SELECT count(*) AS row_count, sum(CAST(xxhash64(*) AS DECIMAL(38, 0))) AS all_values FROM %s";

  private static final String FIVE_COLUMNS =
      "SELECT sum(pmod(xxhash64(channel, clicked, revenue, rate_01, tag_01), 1000)) FROM %s";
  private static final String ALL_COLUMNS = "SELECT sum(pmod(xxhash64(*), 1000)) FROM %s";

  private final QuickStartOptions options;
  private final Map<String, String> settings;
  private final SparkSession spark;
  private final QuickStartTables tables;

  private QuickStart(QuickStartOptions options, String bootstrapServers) {
    this.options = options;
    this.settings = settings(options, bootstrapServers);
    SparkSession.Builder builder =
        SparkSession.builder()
            .appName("lakestream quick start")
            .master("local[*]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.sql.warehouse.dir", options.directory().resolve("warehouse").toString());
    settings.forEach(builder::config);
    this.spark = builder.getOrCreate();
    this.tables = new QuickStartTables(spark, bootstrapServers, options.scale());
  }

  /** Runs the quick start; takes no arguments. */
  public static void main(String[] arguments) throws Exception {
    QuickStartOptions options = QuickStartOptions.from(System.getProperties());
    delete(options.directory());
    Files.createDirectories(options.directory());
    boolean agreed;
    try (EmbeddedFluss cluster = cluster(options)) {
      QuickStart quickStart = new QuickStart(options, cluster.bootstrapServers());
      quickStart.fill();
      agreed = quickStart.compare();
      quickStart.showPlanAndCost();
      if (agreed && options.serve()) {
        quickStart.serve();
      }
      quickStart.spark.stop();
    }
    System.exit(agreed ? 0 : 1);
  }

  private static EmbeddedFluss cluster(QuickStartOptions options) throws IOException {
    if (options.bootstrapServers().isPresent()) {
      return EmbeddedFluss.external(options.bootstrapServers().get());
    }
    say("Starting Fluss: ZooKeeper, a coordinator and two tablet servers");
    return EmbeddedFluss.start(options.directory().resolve("fluss"), 2, Map.of());
  }

  private static Map<String, String> settings(QuickStartOptions options, String bootstrapServers) {
    String catalog = "spark.sql.catalog." + QuickStartTables.CATALOG;
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(catalog, "io.lakestream.spark.catalog.LakestreamCatalog");
    settings.put(catalog + ".bootstrap.servers", bootstrapServers);
    settings.put(
        catalog + ".hudi.catalog.path", options.directory().resolve("lake").toUri().toString());
    // Hudi's writer, which tiering uses, asks for it.
    settings.put("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
    return settings;
  }

  private void fill() throws Exception {
    say("Creating the log table (300 columns) and the primary-key table");
    tables.create();
    say("Writing the first impressions and orders into Fluss");
    tables.writeFirstRows();
    say("Tiering both tables into Hudi");
    tables.tierImpressions();
    tables.tierOrders();
    say("Updating and deleting orders, and tiering them again");
    tables.writeMoreOrders();
    tables.tierOrders();
    say("Writing more impressions, updates and deletes, which stay in Fluss");
    tables.writeLastRows();
  }

  private boolean compare() {
    List<Comparison> comparisons =
        List.of(
            impressions(BY_CHANNEL),
            impressions(EVERY_VALUE),
            orders(BY_PRIORITY),
            orders(EVERY_VALUE));
    say("Lake and log read as one table, against plain Spark over the source rows");
    comparisons.forEach(comparison -> System.out.println(comparison.describe()));
    boolean agreed = comparisons.stream().allMatch(Comparison::agrees);
    if (!agreed) {
      System.err.println(
          "The union read and plain Spark over the source rows disagree, see above.");
    }
    return agreed;
  }

  private Comparison impressions(String query) {
    return Comparison.of(
        spark, query, QuickStartTables.IMPRESSIONS, tables.impressionsFromSource());
  }

  private Comparison orders(String query) {
    return Comparison.of(spark, query, QuickStartTables.ORDERS, tables.ordersFromSource());
  }

  private void showPlanAndCost() {
    String table = QuickStartTables.IMPRESSIONS;
    say("The plan");
    String byChannel = BY_CHANNEL.formatted(table);
    System.out.println(spark.sql("EXPLAIN FORMATTED " + byChannel).first().getString(0));
    say("What was read from the two tiers");
    ScanCost five = ScanCost.of(spark.sql(FIVE_COLUMNS.formatted(table)));
    ScanCost all = ScanCost.of(spark.sql(ALL_COLUMNS.formatted(table)));
    System.out.println("    5 of 300 columns: " + five.describe());
    System.out.println("  300 of 300 columns: " + all.describe());
  }

  private void serve() throws InterruptedException, URISyntaxException {
    Path connector =
        Path.of(ErrorCode.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    say("Serving until you stop it (Ctrl-C). Paste into another terminal:");
    System.out.println(PasteText.of(connector, options.hudiPackage(), settings));
    new CountDownLatch(1).await();
  }

  private static void say(String what) {
    System.out.println("\n== " + what);
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
