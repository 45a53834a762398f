package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.catalog.TieringJob;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/**
 * The tiering job as {@code spark-submit} runs it: in a JVM of its own, with the connector's jar as
 * the application, loaded by Spark's class loader for user code and not from the class path.
 */
class SubmittedTieringTest extends IntegrationTest {
  private static final long LIMIT_SECONDS = 180;

  @Test
  void tiersAndCompactsTheTablesItIsGiven() throws Exception {
    TestTable log = create("log", TableSpec.log("id INT, s STRING"));
    log.apply(put(row(1, "a"), row(1, "a")));
    TestTable keyed = create("keyed", TableSpec.keyed("id INT, s STRING", "id"));
    keyed.apply(put(row(1, "a"), row(2, "b")));

    Ended job = submit("--compact", log.sqlName(), keyed.sqlName());

    assertThat(job.exitCode()).as(job.output()).isZero();
    assertThat(lakeRows(log)).containsExactly(row(1, "a"), row(1, "a"));
    assertThat(lakeRows(keyed)).containsExactly(row(1, "a"), row(2, "b"));
  }

  @Test
  void saysHowItIsCalled() throws Exception {
    Ended job = submit("nothing");

    assertThat(job.exitCode()).isEqualTo(1);
    assertThat(job.output())
        .contains(
            "[LAKESTREAM_INVALID_OPTION] tiering job: 'nothing' is not catalog.database[.table]");
  }

  private List<Row> lakeRows(TestTable table) {
    String name = table.sqlName();
    int dot = name.lastIndexOf('.') + 1;
    return sql("SELECT * FROM "
            + name.substring(0, dot)
            + "`"
            + name.substring(dot)
            + "$lake`"
            + " ORDER BY id")
        .collectAsList();
  }

  private record Ended(int exitCode, String output) {}

  private Ended submit(String... arguments) throws Exception {
    Path jar =
        Path.of(TieringJob.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !Path.of(entry).equals(jar))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(command::add);
    String catalog = "spark.sql.catalog.lake";
    command.addAll(
        List.of(
            "-cp",
            classPath,
            "org.apache.spark.deploy.SparkSubmit",
            "--master",
            "local[1]",
            "--class",
            TieringJob.class.getName(),
            "--conf",
            "spark.ui.enabled=false",
            "--conf",
            "spark.serializer=org.apache.spark.serializer.KryoSerializer",
            "--conf",
            catalog + "=io.lakestream.spark.catalog.LakestreamCatalog",
            "--conf",
            catalog + ".bootstrap.servers=" + environment().bootstrapServers(),
            "--conf",
            catalog + ".hudi.catalog.path=" + environment().lake(),
            jar.toString()));
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile(environment().scratch("submit"), "job", ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("the job ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), Files.readString(output));
  }
}
