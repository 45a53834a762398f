package io.lakestream.spark.it.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A real Fluss cluster on this machine: ZooKeeper, a coordinator and tablet servers, each in a JVM
 * of its own and reachable by loopback only. Servers end with the JVM that started them, however
 * that ends. A directory that was used before is taken up again with all its tables. Not
 * thread-safe.
 *
 * <p>The same class stands for a cluster that was started elsewhere, see {@link #external}.
 */
public final class EmbeddedFluss implements AutoCloseable {
  static final String LOOPBACK = "127.0.0.1";

  private static final String CLIENT_PREFIX = "client.";
  private static final String COORDINATOR = "coordinator";
  private static final String ZOOKEEPER_HEAP = "128m";
  private static final String COORDINATOR_HEAP = "256m";
  private static final String TABLET_SERVER_HEAP = "768m";

  private final Path directory;
  private final Map<String, String> serverOptions;
  private final ServerProcess[] tabletServers;
  private ServerProcess zooKeeper;
  private ServerProcess coordinator;
  private ClusterWatch watch;
  private String zooKeeperAddress;
  private String bootstrapServers;

  private EmbeddedFluss(Path directory, int tabletServers, Map<String, String> serverOptions) {
    this.directory = directory;
    this.tabletServers = new ServerProcess[tabletServers];
    this.serverOptions = Map.copyOf(serverOptions);
  }

  /**
   * Starts a cluster and returns when every tablet server is registered, so that tables can be
   * created.
   *
   * @param directory holds the data, the configuration and the output of every server
   * @param tabletServers how many, at least 1; ids count from 0
   * @param serverOptions Fluss server options, for all servers; they win over the defaults of this
   *     class
   * @throws IOException if a server does not start; the message names the file with its output and
   *     shows the end of it
   */
  public static EmbeddedFluss start(
      Path directory, int tabletServers, Map<String, String> serverOptions) throws IOException {
    if (tabletServers < 1) {
      throw new IllegalArgumentException("A cluster needs a tablet server, not " + tabletServers);
    }
    EmbeddedFluss cluster =
        new EmbeddedFluss(directory.toAbsolutePath(), tabletServers, serverOptions);
    try {
      cluster.startAll();
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  /** A cluster that runs elsewhere: closing does nothing, killing and starting are refused. */
  public static EmbeddedFluss external(String bootstrapServers) {
    EmbeddedFluss cluster = new EmbeddedFluss(null, 0, Map.of());
    cluster.bootstrapServers = bootstrapServers;
    return cluster;
  }

  private void startAll() throws IOException {
    Path zooKeeperDirectory = Files.createDirectories(directory.resolve("zookeeper"));
    zooKeeper =
        ServerProcess.launch(
            "zookeeper",
            ServerRole.ZOOKEEPER,
            directory,
            ZOOKEEPER_HEAP,
            Map.of(
                ServerMain.ZOOKEEPER_PORT,
                "0",
                ServerMain.ZOOKEEPER_DIRECTORY,
                zooKeeperDirectory.toString()));
    zooKeeperAddress = zooKeeper.awaitEndpoint();
    coordinator = launchCoordinator(0);
    for (int id = 0; id < tabletServers.length; id++) {
      tabletServers[id] = launchTabletServer(id);
    }
    bootstrapServers = coordinator.awaitEndpoint();
    watch = new ClusterWatch(bootstrapServers, clientOptions());
    for (int id = 0; id < tabletServers.length; id++) {
      watch.awaitTabletServer(id, tabletServers[id].awaitEndpoint());
    }
    watch.awaitCoordinator();
  }

  /** What clients need: {@code host:port} of the coordinator, the same after a restart. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** Where the cluster keeps tiered log segments, KV snapshots and lake snapshot offsets. */
  public Path remoteDataDirectory() {
    requireOwned("tell its remote data directory");
    return directory.resolve("remote");
  }

  /** Whether the coordinator has learned of a table of this id, which only its log tells. */
  public boolean hasNoticed(String table, long id) throws IOException {
    requireOwned("tell what its coordinator has noticed");
    String line = "New table: " + table + " with id " + id + ",";
    try (Stream<String> lines =
        Files.lines(directory.resolve(COORDINATOR + ".log"), StandardCharsets.ISO_8859_1)) {
      return lines.anyMatch(logged -> logged.contains(line));
    }
  }

  /** Kills the coordinator at once; the data stays. */
  public void killCoordinator() {
    requireOwned("kill its coordinator");
    coordinator.kill();
  }

  /** Starts the killed coordinator again, at the same address; returns when it serves requests. */
  public void startCoordinator() throws IOException {
    requireOwned("start its coordinator");
    requireDead(coordinator, "coordinator");
    int port = Integer.parseInt(bootstrapServers.substring(bootstrapServers.indexOf(':') + 1));
    coordinator = launchCoordinator(port);
    coordinator.awaitEndpoint();
    watch.awaitCoordinator();
  }

  /**
   * Kills one tablet server at once; the data stays. As in every Fluss cluster, a server that comes
   * back alone cuts its logs to the last high watermark that it had written down: rows acknowledged
   * after that are lost unless another replica has them. Here it is written down every 100 ms
   * instead of every 5 s.
   */
  public void killTabletServer(int id) {
    requireOwned("kill a tablet server");
    tabletServers[id].kill();
  }

  /**
   * Starts a killed tablet server again on its data, at a new port; returns when the coordinator
   * has it. Takes as long as the killed one's ZooKeeper session lasts.
   */
  public void startTabletServer(int id) throws IOException {
    requireOwned("start a tablet server");
    requireDead(tabletServers[id], "tablet server " + id);
    tabletServers[id] = launchTabletServer(id);
    watch.awaitTabletServer(id, tabletServers[id].awaitEndpoint());
  }

  /** Stops a server's process where it is, as {@code kill -STOP} does: it answers nothing. */
  public void freezeTabletServer(int id) throws IOException {
    requireOwned("freeze a tablet server");
    tabletServers[id].signal("STOP");
  }

  /** Lets a frozen tablet server go on. */
  public void thawTabletServer(int id) throws IOException {
    requireOwned("thaw a tablet server");
    tabletServers[id].signal("CONT");
  }

  /** Kills every process of this cluster. The directory stays. */
  @Override
  public void close() {
    for (ServerProcess server : processes()) {
      server.kill();
    }
    if (watch != null) {
      watch.close();
    }
  }

  /** The running and the killed processes, ZooKeeper's last. */
  List<ServerProcess> processes() {
    return Stream.concat(
            Arrays.stream(tabletServers),
            Arrays.stream(new ServerProcess[] {coordinator, zooKeeper}))
        .filter(Objects::nonNull)
        .toList();
  }

  private ServerProcess launchCoordinator(int port) throws IOException {
    Map<String, String> options = commonOptions();
    options.put("bind.listeners", "FLUSS://" + LOOPBACK + ":" + port);
    options.putAll(serverOptions);
    return ServerProcess.launch(
        COORDINATOR, ServerRole.COORDINATOR, directory, COORDINATOR_HEAP, options);
  }

  private ServerProcess launchTabletServer(int id) throws IOException {
    Map<String, String> options = commonOptions();
    options.put("bind.listeners", "FLUSS://" + LOOPBACK + ":0");
    options.put("tablet-server.id", Integer.toString(id));
    options.put("data.dir", directory.resolve("data-" + id).toString());
    options.putAll(serverOptions);
    return ServerProcess.launch(
        "tablet-server-" + id, ServerRole.TABLET_SERVER, directory, TABLET_SERVER_HEAP, options);
  }

  private Map<String, String> commonOptions() {
    Map<String, String> options = new TreeMap<>();
    options.put("zookeeper.address", zooKeeperAddress);
    // A killed server can come back only when its session is over; the default is 60 s.
    options.put("zookeeper.client.session-timeout", "10s");
    options.put("remote.data.dir", directory.resolve("remote").toUri().toString());
    options.put("log.replica.high-watermark.checkpoint-interval", "100ms");
    return options;
  }

  /** What servers use among each other serves to watch them, too. */
  private Map<String, String> clientOptions() {
    Map<String, String> options = new TreeMap<>(serverOptions);
    options.keySet().removeIf(key -> !key.startsWith(CLIENT_PREFIX));
    return options;
  }

  private void requireOwned(String action) {
    if (directory == null) {
      throw new UnsupportedOperationException(
          "The cluster at " + bootstrapServers + " was started elsewhere: cannot " + action + ".");
    }
  }

  private static void requireDead(ServerProcess server, String name) {
    if (server.isAlive()) {
      throw new IllegalStateException("The " + name + " is still running.");
    }
  }
}
