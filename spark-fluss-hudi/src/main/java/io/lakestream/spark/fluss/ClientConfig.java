package io.lakestream.spark.fluss;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import java.io.Serializable;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Everything a JVM needs to reach a cluster; equal ones share a connection. Options may hold
 * secrets, so only the address is ever shown.
 *
 * @param options Fluss client options, {@code bootstrap.servers} among them
 * @param requestTimeout how long a request may take
 */
record ClientConfig(Map<String, String> options, Duration requestTimeout) implements Serializable {
  static final String BOOTSTRAP_SERVERS = "bootstrap.servers";

  private static final int WRITER_RETRIES = 200_000;

  ClientConfig {
    options = Map.copyOf(options);
  }

  /**
   * Completes the user's options by the defaults of this connector.
   *
   * @throws LakestreamException {@code INVALID_OPTION} without {@code bootstrap.servers}
   */
  static ClientConfig of(
      Map<String, String> userOptions, Duration requestTimeout, ReadSettings settings) {
    String servers = userOptions.get(BOOTSTRAP_SERVERS);
    if (servers == null || servers.isBlank()) {
      throw LakestreamException.of(
          ErrorCode.INVALID_OPTION,
          BOOTSTRAP_SERVERS,
          "the option is missing.",
          "Give the address of the Fluss cluster as host:port.");
    }
    Map<String, String> options = new TreeMap<>();
    // Fluss waits two minutes for a connection, and for ever for room in the write buffer.
    options.put("client.connect-timeout", requestTimeout.toMillis() + "ms");
    options.put("client.writer.buffer.wait-timeout", settings.idleTimeout().toMillis() + "ms");
    // By default rows for a bucket that never gets a leader again, as of a dropped partition, are
    // sent hundreds of times a second for as long as the JVM lives. The task has failed long since.
    options.put("client.writer.retries", Integer.toString(WRITER_RETRIES));
    options.put("client.scanner.log.max-poll-records", Integer.toString(settings.maxPollRecords()));
    options.putAll(userOptions);
    return new ClientConfig(options, requestTimeout);
  }

  String address() {
    return options.get(BOOTSTRAP_SERVERS);
  }

  @Override
  public String toString() {
    return "Fluss cluster at " + address();
  }
}
