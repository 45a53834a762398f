package io.lakestream.spark.fluss;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.exception.FlussRuntimeException;
import org.apache.fluss.exception.IllegalConfigurationException;

/**
 * The connections of this JVM: one for each distinct configuration, open until the JVM ends.
 * Closing one takes Fluss two seconds, and tasks come and go; its threads are daemons, so that it
 * does not hold up the JVM's end. Thread-safe.
 */
final class Connections {
  private static final ConcurrentMap<ClientConfig, CompletableFuture<FlussConnection>> OPEN =
      new ConcurrentHashMap<>();

  private Connections() {}

  /**
   * The connection for this configuration, made at the first call.
   *
   * @throws LakestreamException {@code CLUSTER_UNREACHABLE} if there is none within the request
   *     time-out, {@code INVALID_OPTION} if Fluss refuses an option, {@code ACCESS_DENIED} if it
   *     refuses the user
   */
  static FlussConnection get(ClientConfig config) {
    CompletableFuture<FlussConnection> future = OPEN.computeIfAbsent(config, Connections::open);
    try {
      return future.get(config.requestTimeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      OPEN.remove(config, future);
      throw refused(config, e.getCause());
    } catch (TimeoutException e) {
      // The attempt goes on; should it succeed, the next caller has the connection.
      throw unreachable(
          config, "no answer within " + config.requestTimeout().toMillis() + " ms.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable(config, "the wait for an answer was interrupted.", e);
    }
  }

  private static CompletableFuture<FlussConnection> open(ClientConfig config) {
    CompletableFuture<FlussConnection> future = new CompletableFuture<>();
    Thread opener =
        new Thread(
            () -> {
              try {
                Configuration configuration = Configuration.fromMap(config.options());
                future.complete(
                    (FlussConnection) ConnectionFactory.createConnection(configuration));
              } catch (RuntimeException | Error e) {
                // Whoever comes later tries again.
                OPEN.remove(config, future);
                future.completeExceptionally(e);
              }
            },
            "lakestream-fluss-connect");
    opener.setDaemon(true);
    opener.start();
    return future;
  }

  private static LakestreamException refused(ClientConfig config, Throwable cause) {
    if (FlussErrors.isDenial(cause)) {
      return LakestreamException.of(
          ErrorCode.ACCESS_DENIED,
          config,
          "the cluster refuses the connection: " + rootMessage(cause),
          FlussErrors.CHECK_CREDENTIALS,
          cause);
    }
    boolean badOption =
        cause instanceof IllegalConfigurationException
            || cause instanceof IllegalArgumentException
            || cause instanceof org.apache.fluss.exception.ConfigException;
    if (badOption) {
      return LakestreamException.of(
          ErrorCode.INVALID_OPTION,
          config,
          "the Fluss client refuses its options: " + cause.getMessage(),
          "Correct the option that the message names.",
          cause);
    }
    if (cause instanceof IllegalStateException || cause instanceof FlussRuntimeException) {
      return unreachable(config, "the connection failed: " + firstLine(cause), cause);
    }
    return LakestreamException.of(
        ErrorCode.REQUEST_FAILED,
        config,
        "the Fluss client could not be started: " + cause,
        "See the cause.",
        cause);
  }

  private static String rootMessage(Throwable cause) {
    return firstLine(ExceptionUtils.getRootCause(cause));
  }

  private static String firstLine(Throwable cause) {
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse(cause.toString());
  }

  private static LakestreamException unreachable(
      ClientConfig config, String problem, Throwable cause) {
    return LakestreamException.of(
        ErrorCode.CLUSTER_UNREACHABLE,
        config,
        problem,
        "Check " + ClientConfig.BOOTSTRAP_SERVERS + ", the network, and that the servers run.",
        cause);
  }
}
