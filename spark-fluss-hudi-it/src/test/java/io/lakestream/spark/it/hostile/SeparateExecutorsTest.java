package io.lakestream.spark.it.hostile;

import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.catalog.TieringJob;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/**
 * Driver and executors in JVMs of their own, the connector loaded by the class loaders for users'
 * jars as {@code --packages} does, and each JVM with a time zone of its own.
 */
class SeparateExecutorsTest extends IntegrationTest {
  private static final long LIMIT_SECONDS = 240;
  private static final String CATALOG = "spark.sql.catalog.lake";
  private static final String ROUND = "SparkRoundExecutor";

  private record Ended(int exitCode, List<String> output) {
    List<String> lines(String prefix) {
      return output.stream()
          .filter(line -> line.startsWith(prefix))
          .map(line -> line.substring(prefix.length()))
          .toList();
    }
  }

  @Test
  void zonesOfJvmsDoNotMatterAndJavaSerializationWill() throws Exception {
    TestTable table =
        create(
            "times",
            TableSpec.keyed(
                    "id INT, dt STRING, born DATE, wall TIMESTAMP(6), ltz TIMESTAMP_LTZ(6)",
                    "id",
                    "dt")
                .partitionedBy("dt"));
    LocalDateTime gap = LocalDateTime.of(2024, 3, 10, 2, 30, 0, 1_000);
    Instant moment = Instant.parse("2024-11-03T05:30:00.000001Z");
    table.apply(
        put(row(1, "a", LocalDate.of(1582, 10, 10), gap, moment), row(2, "a", null, null, null)));
    table.tier();
    table.compact();
    table.apply(
        put(row(3, "b", LocalDate.of(2024, 2, 29), gap.plusHours(1), moment.plusSeconds(3600))),
        put(row(4, "b", null, null, null)),
        delete(row(2, "a", null, null, null)));

    Ended ended =
        submit(
            Map.of(
                "spark.master", "local-cluster[1,1,1024]",
                "spark.executor.memory", "700m",
                "spark.executor.extraJavaOptions", "-Duser.timezone=Asia/Kathmandu",
                "spark.serializer", "org.apache.spark.serializer.JavaSerializer",
                "spark.sql.session.timeZone", "America/New_York"),
            List.of("-Duser.timezone=America/St_Johns"),
            "SELECT executor_zone() zone FROM range(1)",
            ("SELECT id, dt, CAST(born AS STRING) born, CAST(wall AS STRING) wall,"
                    + " unix_micros(ltz) micros FROM %s ORDER BY id")
                .formatted(table.sqlName()),
            "SELECT id FROM %s WHERE ltz = TIMESTAMP '2024-11-03 00:30:00.000001 America/New_York'"
                    .formatted(table.sqlName())
                + " OR wall = TIMESTAMP_NTZ '2024-03-10 02:30:00.000001'");

    assertThat(ended.exitCode()).as("%s", ended.output()).isZero();
    assertThat(ended.lines(StatementsApp.ZONES)).containsExactly("America/St_Johns");
    assertThat(ended.lines(StatementsApp.ROW))
        .containsExactly(
            "{\"zone\":\"Asia/Kathmandu\"}",
            "{\"id\":1,\"dt\":\"a\",\"born\":\"1582-10-10\",\"wall\":\"2024-03-10 02:30:00.000001\","
                + "\"micros\":1730611800000001}",
            "{\"id\":3,\"dt\":\"b\",\"born\":\"2024-02-29\",\"wall\":\"2024-03-10 03:30:00.000001\","
                + "\"micros\":1730615400000001}",
            "{\"id\":4,\"dt\":\"b\"}",
            "{\"id\":1}");
  }

  @Test
  void anExecutorThatIsKilledInARound() throws Exception {
    TestTable log = create("log", TableSpec.log("id INT, s STRING").buckets(4, "id"));
    Row[] rows =
        IntStream.range(0, 4_000).mapToObj(id -> row(id / 2, "s" + id / 2)).toArray(Row[]::new);
    log.apply(put(rows));

    Ended ended =
        submit(
            Map.of(
                "spark.master", "local-cluster[2,1,1024]",
                "spark.executor.memory", "700m",
                "spark.scheduler.minRegisteredResourcesRatio", "1.0",
                "spark.serializer", "org.apache.spark.serializer.KryoSerializer"),
            List.of("-D" + StatementsApp.KILL + "=" + ROUND),
            "CALL lake.system.tier(table => '%s')".formatted(log.path()));

    assertThat(ended.exitCode()).as("%s", ended.output()).isZero();
    assertThat(ended.lines(StatementsApp.KILLED)).hasSize(1);
    assertThat(ended.lines(StatementsApp.ROW)).hasSize(1);
    assertRows(EntryPoint.LAKE_ONLY, log, "SELECT * FROM {t}", rows);
    assertRows(log, "SELECT * FROM {t}", rows);
    log.tier();
    assertRows(EntryPoint.LAKE_ONLY, log, "SELECT * FROM {t}", rows);
    assertThat(log.timelineFiles()).filteredOn(name -> name.endsWith(".commit")).hasSize(1);
  }

  private Ended submit(Map<String, String> settings, List<String> jvmOptions, String... statements)
      throws Exception {
    Path connector =
        Path.of(TieringJob.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !Path.of(entry).equals(connector))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> opens =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-opens"))
            .toList();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(opens);
    command.addAll(jvmOptions);
    command.add("-Xmx700m");
    command.addAll(List.of("-cp", classPath, "org.apache.spark.deploy.SparkSubmit"));
    command.addAll(List.of("--class", StatementsApp.class.getName()));
    Map<String, String> all = new TreeMap<>(settings);
    all.put("spark.ui.enabled", "false");
    all.put("spark.executor.extraClassPath", classPath);
    all.put(
        "spark.sql.extensions", "io.lakestream.spark.extension.LakestreamSparkSessionExtension");
    all.put(CATALOG, "io.lakestream.spark.catalog.LakestreamCatalog");
    all.put(CATALOG + ".bootstrap.servers", environment().bootstrapServers());
    all.put(CATALOG + ".hudi.catalog.path", environment().lake().toString());
    all.forEach((key, value) -> command.addAll(List.of("--conf", key + "=" + value)));
    command.add(connector.toString());
    command.addAll(List.of(statements));
    return start(command);
  }

  /** Spark's own cluster of this machine looks for jars in its home, where none need be. */
  private Ended start(List<String> command) throws Exception {
    Path home = environment().scratch("spark-home");
    Files.createDirectories(home.resolve("jars"));
    Path output = Files.createTempFile(environment().scratch("statements"), "app", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.12");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    Process process = builder.start();
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
          .as("the application ended: %s", Files.readString(output))
          .isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), Files.readAllLines(output));
  }
}
