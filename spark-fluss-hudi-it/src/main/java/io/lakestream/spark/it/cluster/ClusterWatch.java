package io.lakestream.spark.it.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.cluster.ServerNode;
import org.apache.fluss.cluster.ServerType;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.metadata.DatabaseDescriptor;

/** Asks a cluster which servers it has, until it has those that are wanted. Not thread-safe. */
final class ClusterWatch implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
  private static final String DEFAULT_DATABASE = "fluss";
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final String bootstrapServers;
  private final Map<String, String> clientOptions;
  private Connection connection;

  /**
   * @param clientOptions options of the Fluss client, for example who it is
   */
  ClusterWatch(String bootstrapServers, Map<String, String> clientOptions) {
    this.bootstrapServers = bootstrapServers;
    this.clientOptions = Map.copyOf(clientOptions);
  }

  /** Nobody can connect before the coordinator knows a tablet server. */
  private Admin admin() {
    if (connection == null) {
      Configuration configuration = Configuration.fromMap(clientOptions);
      configuration.setString("bootstrap.servers", bootstrapServers);
      connection = ConnectionFactory.createConnection(configuration);
    }
    return connection.getAdmin();
  }

  /** Waits until the cluster lists this tablet server at this endpoint. */
  void awaitTabletServer(int id, String endpoint) throws IOException {
    await(
        "tablet server " + id + " at " + endpoint,
        admin ->
            admin
                .getServerNodes()
                .thenApply(nodes -> nodes.stream().anyMatch(node -> isAt(node, id, endpoint))));
  }

  private static boolean isAt(ServerNode node, int id, String endpoint) {
    return node != null
        && node.serverType() == ServerType.TABLET_SERVER
        && node.id() == id
        && endpoint.equals(node.host() + ":" + node.port());
  }

  /** Waits until the coordinator serves; Fluss's own database is always there already. */
  void awaitCoordinator() throws IOException {
    await(
        "a serving coordinator",
        admin ->
            admin
                .createDatabase(DEFAULT_DATABASE, DatabaseDescriptor.EMPTY, true)
                .thenApply(nothing -> true));
  }

  private void await(String wanted, Function<Admin, CompletableFuture<Boolean>> condition)
      throws IOException {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    Exception last = null;
    try {
      while (System.nanoTime() < deadline) {
        try {
          if (condition.apply(admin()).get(REQUEST_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
            return;
          }
        } catch (ExecutionException | TimeoutException | IllegalStateException e) {
          // Not up yet, or just gone: the next answer counts.
          last = e;
        }
        Thread.sleep(PAUSE.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("The wait for " + wanted + " was interrupted.", e);
    }
    throw new IOException(
        "The Fluss cluster at "
            + bootstrapServers
            + " did not report "
            + wanted
            + " within "
            + TIMEOUT.toSeconds()
            + " s.",
        last);
  }

  /** Returns at once: the client takes two seconds to close. */
  @Override
  public void close() {
    if (connection == null) {
      return;
    }
    Thread closer =
        new Thread(
            () -> {
              try {
                connection.close();
              } catch (Exception e) {
                throw new IllegalStateException("The connection did not close.", e);
              }
            },
            "fluss-watch-close");
    closer.setDaemon(true);
    closer.start();
  }
}
