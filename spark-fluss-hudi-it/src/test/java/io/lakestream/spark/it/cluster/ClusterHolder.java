package io.lakestream.spark.it.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A program that starts a cluster, writes down its processes and stays until it is killed. */
final class ClusterHolder {
  private ClusterHolder() {}

  public static void main(String[] arguments) throws Exception {
    EmbeddedFluss cluster = EmbeddedFluss.start(Path.of(arguments[0]), 1, Map.of());
    List<String> processIds =
        cluster.processes().stream().map(server -> Long.toString(server.handle().pid())).toList();
    Path target = Path.of(arguments[1]);
    Path draft = target.resolveSibling("processes.draft");
    Files.write(draft, processIds);
    Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    new CountDownLatch(1).await();
  }

  static List<ProcessHandle> awaitProcesses(Process holder, Path file) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(120).toNanos();
    while (!Files.exists(file)) {
      if (!holder.isAlive() || System.nanoTime() > deadline) {
        throw new IllegalStateException("The holder did not start a cluster.");
      }
      Thread.sleep(50);
    }
    return Files.readAllLines(file).stream()
        .map(line -> ProcessHandle.of(Long.parseLong(line)).orElseThrow())
        .toList();
  }
}
