package io.lakestream.spark.hudi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lakestream.spark.lake.LakeTable;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/**
 * Hudi tables as Fluss's own tiering lays them out, with the rows that they must yield. They are
 * kept outside the project: in the folder that the system property {@code lakestream.golden} names,
 * or in {@code shared/golden} beside the checkout.
 */
public final class GoldenTables {
  private static final String PROPERTY = "lakestream.golden";

  /** A table, with what is expected of it. */
  public record Golden(
      String name,
      TableSchema schema,
      List<String> primaryKey,
      List<String> partitionColumns,
      int buckets,
      List<Snapshot> snapshots) {
    public TablePath tablePath() {
      return new TablePath("fluss", name);
    }
  }

  /** What must be seen as of an instant; the instant is empty for the newest one. */
  public record Snapshot(Optional<String> instant, List<Map<String, Object>> rows) {}

  private final Path folder;

  private GoldenTables(Path folder) {
    this.folder = folder;
  }

  /** Where the golden tables are kept; empty if they are not at hand. */
  public static Optional<Path> archive() {
    String property = System.getProperty(PROPERTY);
    if (property != null) {
      return Optional.of(Path.of(property)).filter(GoldenTables::isArchive);
    }
    Path module = Path.of("").toAbsolutePath();
    return Stream.of("../../shared/golden", "../shared/golden", "../../../shared/golden")
        .map(module::resolve)
        .map(Path::normalize)
        .filter(GoldenTables::isArchive)
        .findFirst();
  }

  private static boolean isArchive(Path folder) {
    return Files.isRegularFile(folder.resolve("tables.tar.gz"))
        && Files.isRegularFile(folder.resolve("expected.json"));
  }

  /** Unpacks the tables into a folder. */
  public static GoldenTables unpack(Path archive, Path folder)
      throws IOException, InterruptedException {
    Process tar =
        new ProcessBuilder(
                "tar", "-xzf", archive.resolve("tables.tar.gz").toString(), "-C", folder.toString())
            .inheritIO()
            .start();
    if (tar.waitFor() != 0) {
      throw new IOException("tar failed on " + archive);
    }
    return new GoldenTables(folder);
  }

  public Path path(Golden golden) {
    return folder.resolve(golden.name());
  }

  public LakeTable open(Golden golden) {
    return new HudiLakeCatalog(Configuration::new)
        .open(
            golden.tablePath(),
            path(golden).toString(),
            golden.schema(),
            golden.partitionColumns(),
            golden.buckets());
  }

  /** The offsets file that Fluss wrote under this name, for one of the tables. */
  public Optional<String> offsetsFile(String fileName) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      Optional<Path> found =
          files.filter(file -> file.getFileName().toString().equals(fileName)).findFirst();
      return found.isPresent() ? Optional.of(Files.readString(found.get())) : Optional.empty();
    }
  }

  /** What {@code expected.json} says. */
  public static List<Golden> expected(Path archive) throws IOException {
    JsonNode root = new ObjectMapper().readTree(archive.resolve("expected.json").toFile());
    List<Golden> tables = new ArrayList<>();
    root.fields().forEachRemaining(entry -> tables.add(golden(entry.getKey(), entry.getValue())));
    return tables;
  }

  private static Golden golden(String name, JsonNode node) {
    List<TableColumn> columns = new ArrayList<>();
    node.get("schema")
        .fields()
        .forEachRemaining(
            field ->
                columns.add(
                    new TableColumn(
                        field.getKey(), DeclaredTypes.parse(field.getValue().asText()), null)));
    List<String> primaryKey = new ArrayList<>();
    node.get("primaryKey").forEach(key -> primaryKey.add(key.asText()));
    List<String> partitionColumns = new ArrayList<>();
    node.get("partitionKeys").forEach(key -> partitionColumns.add(key.asText()));
    List<Snapshot> snapshots = new ArrayList<>();
    for (JsonNode snapshot : node.get("snapshots")) {
      String instant = snapshot.get("instant").asText();
      List<Map<String, Object>> rows = new ArrayList<>();
      snapshot.get("rows").forEach(row -> rows.add(object(row)));
      snapshots.add(
          new Snapshot(instant.matches("\\d{17}") ? Optional.of(instant) : Optional.empty(), rows));
    }
    return new Golden(
        name,
        new TableSchema(columns),
        primaryKey,
        partitionColumns,
        node.get("buckets").asInt(),
        snapshots);
  }

  private static Map<String, Object> object(JsonNode node) {
    Map<String, Object> result = new LinkedHashMap<>();
    node.fields().forEachRemaining(field -> result.put(field.getKey(), value(field.getValue())));
    return result;
  }

  private static Object value(JsonNode node) {
    if (node.isNull()) {
      return null;
    } else if (node.isObject()) {
      return object(node);
    } else if (node.isArray()) {
      List<Object> result = new ArrayList<>();
      node.forEach(element -> result.add(value(element)));
      return result;
    } else if (node.isIntegralNumber()) {
      return node.longValue();
    } else if (node.isNumber()) {
      return node.doubleValue();
    }
    return node.isBoolean() ? (Object) node.booleanValue() : node.textValue();
  }
}
