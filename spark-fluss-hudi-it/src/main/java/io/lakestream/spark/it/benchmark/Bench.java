package io.lakestream.spark.it.benchmark;

import io.lakestream.spark.it.cluster.EmbeddedFluss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/**
 * What a benchmark runs on: a cluster with two tablet servers, and a local Spark with the catalog
 * {@code lake}. Closing it deletes the directory.
 */
record Bench(Path directory, EmbeddedFluss cluster, SparkSession spark) implements AutoCloseable {

  static Bench start(String name) throws IOException {
    Path directory = Files.createTempDirectory("lakestream-benchmark");
    EmbeddedFluss cluster = EmbeddedFluss.start(directory.resolve("fluss"), 2, Map.of());
    return new Bench(directory, cluster, session(name, cluster, directory));
  }

  private static SparkSession session(String name, EmbeddedFluss cluster, Path directory) {
    String catalog = "spark.sql.catalog.lake";
    return SparkSession.builder()
        .appName(name)
        .master("local[*]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
        .config(catalog, "io.lakestream.spark.catalog.LakestreamCatalog")
        .config(catalog + ".bootstrap.servers", cluster.bootstrapServers())
        .config(catalog + ".hudi.catalog.path", directory.resolve("lake").toUri().toString())
        .getOrCreate();
  }

  @Override
  public void close() throws IOException {
    spark.close();
    cluster.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
