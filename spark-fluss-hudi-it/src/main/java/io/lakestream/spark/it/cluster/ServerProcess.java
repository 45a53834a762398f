package io.lakestream.spark.it.cluster;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** One server in a JVM of its own. Not thread-safe. */
final class ServerProcess {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(90);
  private static final int SHOWN_LINES = 30;

  private final String name;
  private final Path log;
  private final Process process;
  private final CompletableFuture<String> announcement = new CompletableFuture<>();

  private ServerProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /**
   * Launches a server; {@link #awaitEndpoint} tells when it is up.
   *
   * @param directory where the files {@code <name>.properties} and {@code <name>.log} go
   * @param heap the largest heap, as the JVM spells it
   */
  static ServerProcess launch(
      String name, ServerRole role, Path directory, String heap, Map<String, String> options)
      throws IOException {
    Path configuration = directory.resolve(name + ".properties");
    Properties properties = new Properties();
    properties.putAll(options);
    try (OutputStream out = Files.newOutputStream(configuration)) {
      properties.store(out, null);
    }
    Path log = directory.resolve(name + ".log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx" + heap, "-XX:+UseSerialGC"));
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    // Metadata need not survive a power cut, only the end of a process.
    command.add("-Dzookeeper.forceSync=no");
    command.add("-Dorg.slf4j.simpleLogger.showDateTime=true");
    command.add("-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS");
    String classPath =
        ServerJars.classPath().stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    command.addAll(List.of("-cp", classPath, ServerMain.class.getName()));
    command.addAll(List.of(role.name(), configuration.toString()));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    ServerProcess server = new ServerProcess(name, log, process);
    Thread listener = new Thread(server::listen, "fluss-" + name);
    listener.setDaemon(true);
    listener.start();
    return server;
  }

  private void listen() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith(ServerMain.READY)) {
          announcement.complete(line.substring(ServerMain.READY.length()));
        }
      }
      announcement.completeExceptionally(new IOException("it ended before it was ready"));
    } catch (IOException e) {
      announcement.completeExceptionally(e);
    }
  }

  /**
   * Waits until the server is up and registered.
   *
   * @return its {@code host:port}
   * @throws IOException if it is not, with the end of its output
   */
  String awaitEndpoint() throws IOException {
    try {
      return announcement.get(START_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw failure(e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      throw failure("it was not ready within " + START_TIMEOUT.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure("the wait for it was interrupted", e);
    }
  }

  private IOException failure(String problem, Exception cause) throws IOException {
    List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
    List<String> end = lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size());
    return new IOException(
        "The Fluss process "
            + name
            + " did not start: "
            + problem
            + ". See "
            + log
            + ", which ends with:\n"
            + String.join("\n", end),
        cause);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** The process, for those who watch it. */
  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Sends the process a signal. */
  void signal(String signal) throws IOException {
    Process sender =
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).inheritIO().start();
    if (sender.onExit().join().exitValue() != 0) {
      throw new IOException("The process " + name + " does not take the signal " + signal + ".");
    }
  }

  /** Kills the process at once, as {@code kill -9} does, and waits until it is gone. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
