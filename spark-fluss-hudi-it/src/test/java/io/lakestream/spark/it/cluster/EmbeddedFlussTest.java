package io.lakestream.spark.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.client.table.scanner.log.LogScanner;
import org.apache.fluss.client.table.writer.AppendWriter;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EmbeddedFlussTest {
  private static final TablePath TABLE = TablePath.of("fluss", "numbers");

  @TempDir Path directory;

  @Test
  void keepsItsDataWhenServersAreKilledAndStartedAgain() throws Exception {
    try (EmbeddedFluss cluster = EmbeddedFluss.start(directory, 2, Map.of());
        Connection connection = connect(cluster)) {
      createTable(connection);
      append(connection, 1);
      awaitHighWatermarkOnDisk();

      cluster.killTabletServer(0);
      cluster.killTabletServer(1);
      cluster.startTabletServer(0);
      cluster.startTabletServer(1);
      try (Connection fresh = connect(cluster)) {
        append(fresh, 2);
        assertThat(readAll(fresh, 2)).containsExactlyInAnyOrder(1, 2);
      }

      String address = cluster.bootstrapServers();
      cluster.killCoordinator();
      cluster.startCoordinator();
      assertThat(cluster.bootstrapServers()).isEqualTo(address);
      TablePath another = TablePath.of("fluss", "another");
      try (Connection fresh = connect(cluster)) {
        fresh.getAdmin().createTable(another, descriptor(), false).get();
        assertThat(fresh.getAdmin().listTables("fluss").get())
            .containsExactlyInAnyOrder("numbers", "another");
      }
    }
  }

  @Test
  void takesUpAnOlderDirectory() throws Exception {
    try (EmbeddedFluss cluster = EmbeddedFluss.start(directory, 1, Map.of());
        Connection connection = connect(cluster)) {
      createTable(connection);
      append(connection, 7);
    }
    try (EmbeddedFluss cluster = EmbeddedFluss.start(directory, 1, Map.of());
        Connection connection = connect(cluster)) {
      assertThat(readAll(connection, 1)).containsExactly(7);
    }
  }

  @Test
  void leavesNoProcessBehind() throws Exception {
    List<ProcessHandle> processes;
    try (EmbeddedFluss cluster = EmbeddedFluss.start(directory, 1, Map.of())) {
      processes = cluster.processes().stream().map(ServerProcess::handle).toList();
      assertThat(processes).hasSize(3).allMatch(ProcessHandle::isAlive);
    }
    assertThat(processes).noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void serversEndWithTheirParent() throws Exception {
    Path file = directory.resolve("processes");
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ClusterHolder.class.getName(),
                directory.toString(),
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("holder.log").toFile())
            .start();
    List<ProcessHandle> servers;
    try {
      servers = ClusterHolder.awaitProcesses(parent, file);
      assertThat(servers).hasSize(3).allMatch(ProcessHandle::isAlive);
    } finally {
      parent.destroyForcibly();
    }
    for (ProcessHandle server : servers) {
      server.onExit().get(30, TimeUnit.SECONDS);
      assertThat(server.isAlive()).isFalse();
    }
  }

  @Test
  void failedStartShowsTheServersOutput() {
    assertThatThrownBy(
            () -> EmbeddedFluss.start(directory, 1, Map.of("remote.data.dir", "nowhere://x/y")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("The Fluss process coordinator did not start")
        .hasMessageContaining(directory.resolve("coordinator.log").toString())
        .hasMessageContaining("nowhere");
  }

  @Test
  void externalClusterIsNotOursToStop() throws Exception {
    try (EmbeddedFluss owned = EmbeddedFluss.start(directory, 1, Map.of())) {
      EmbeddedFluss external = EmbeddedFluss.external(owned.bootstrapServers());
      assertThatThrownBy(external::killCoordinator)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage(
              "The cluster at %s was started elsewhere: cannot kill its coordinator.",
              owned.bootstrapServers());
      assertThatThrownBy(() -> external.startTabletServer(0))
          .isInstanceOf(UnsupportedOperationException.class);
      external.close();
      try (Connection connection = connect(external)) {
        assertThat(connection.getAdmin().listDatabases().get()).contains("fluss");
      }
    }
  }

  @Test
  void runningServerIsNotStartedTwice() throws Exception {
    try (EmbeddedFluss cluster = EmbeddedFluss.start(directory, 1, Map.of())) {
      assertThatThrownBy(() -> cluster.startTabletServer(0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("The tablet server 0 is still running.");
    }
    assertThat(Files.size(directory.resolve("tablet-server-0.log"))).isPositive();
  }

  /** The bucket with the row stands in one server's checkpoint, as "table bucket offset". */
  private void awaitHighWatermarkOnDisk() throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!isOnDisk("data-0") && !isOnDisk("data-1")) {
      assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
      Thread.sleep(20);
    }
  }

  private boolean isOnDisk(String dataDirectory) throws IOException {
    Path checkpoint = directory.resolve(dataDirectory).resolve("high-watermark-checkpoint");
    return Files.exists(checkpoint)
        && Files.readAllLines(checkpoint).stream().anyMatch(line -> line.matches("\\d+ \\d+ 1"));
  }

  private static Connection connect(EmbeddedFluss cluster) {
    Configuration configuration = new Configuration();
    configuration.setString("bootstrap.servers", cluster.bootstrapServers());
    return ConnectionFactory.createConnection(configuration);
  }

  private static TableDescriptor descriptor() {
    return TableDescriptor.builder()
        .schema(Schema.newBuilder().column("n", DataTypes.INT()).build())
        .distributedBy(2)
        .build();
  }

  private static void createTable(Connection connection) throws Exception {
    connection.getAdmin().createTable(TABLE, descriptor(), false).get();
  }

  private static void append(Connection connection, int number) throws Exception {
    try (Table table = connection.getTable(TABLE)) {
      AppendWriter writer = table.newAppend().createWriter();
      writer.append(GenericRow.of(number)).get();
    }
  }

  private static List<Integer> readAll(Connection connection, int rows) throws Exception {
    List<Integer> numbers = new ArrayList<>();
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    try (Table table = connection.getTable(TABLE);
        LogScanner scanner = table.newScan().createLogScanner()) {
      scanner.subscribeFromBeginning(0);
      scanner.subscribeFromBeginning(1);
      while (numbers.size() < rows && System.nanoTime() < deadline) {
        for (ScanRecord row : scanner.poll(Duration.ofMillis(200))) {
          numbers.add(row.getRow().getInt(0));
        }
      }
    }
    return numbers;
  }
}
