package io.lakestream.spark.it.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.harness.Environment;
import io.lakestream.spark.it.harness.TestTable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Processes that die in a round; the next one gets ready while the last one is used. */
final class Victims implements AutoCloseable {
  private static final long LIMIT_SECONDS = 180;

  private final Environment environment;
  private final Duration heartbeatTimeout;
  private final Path directory;
  private Process next;
  private Path output;
  private int count;

  Victims(Environment environment, Duration heartbeatTimeout) throws IOException {
    this.environment = environment;
    this.heartbeatTimeout = heartbeatTimeout;
    this.directory = environment.scratch("victims");
    prepare();
  }

  /** Lets a process of its own run a round of the table and die in it. */
  void kill(TestTable table, KillPoint point) throws Exception {
    Path log = output;
    Process victim = order(table, point);
    try {
      assertThat(victim.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("the victim died").isTrue();
    } finally {
      victim.destroyForcibly();
    }
    assertThat(victim.exitValue())
        .as("%s of %s: %s", point, table.path(), Files.readString(log))
        .isEqualTo(RoundVictim.EXIT_CODE);
  }

  /** The same, but the process is killed from outside at some time, if it still lives then. */
  void kill(TestTable table, Duration after) throws Exception {
    Process victim = order(table, KillPoint.AFTER_REPORT);
    victim.waitFor(after.toMillis(), TimeUnit.MILLISECONDS);
    victim.destroyForcibly().waitFor();
  }

  private Process order(TestTable table, KillPoint point) throws IOException {
    Process victim = next;
    prepare();
    String[] names = table.path().split("\\.");
    try (OutputStream order = victim.getOutputStream()) {
      order.write(
          (names[0] + " " + names[1] + " " + point + "\n").getBytes(StandardCharsets.UTF_8));
    }
    return victim;
  }

  private void prepare() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens") || argument.startsWith("-D"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            RoundVictim.class.getName(),
            environment.bootstrapServers(),
            environment.lake().toString(),
            heartbeatTimeout.toString()));
    output = directory.resolve("victim-" + count++ + ".log");
    next =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
  }

  @Override
  public void close() {
    next.destroyForcibly();
  }
}
