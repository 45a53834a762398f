package io.lakestream.spark.fluss;

import io.lakestream.spark.log.LogCluster;
import java.time.Duration;
import java.util.Map;

/** The entry to this package: Fluss clusters behind the log port. Thread-safe. */
public final class FlussClusters {
  private FlussClusters() {}

  /**
   * A cluster. No request is made before the first call of one of its methods, and the connection
   * is shared by all clusters of this JVM with equal options.
   *
   * @param clientOptions Fluss client options by their own names, {@code bootstrap.servers} among
   *     them; they win over this connector's defaults
   * @param requestTimeout how long a request may take, connecting included
   * @throws io.lakestream.spark.error.LakestreamException {@code INVALID_OPTION} without {@code
   *     bootstrap.servers}
   */
  public static LogCluster connect(
      Map<String, String> clientOptions, Duration requestTimeout, ReadSettings settings) {
    return new FlussCluster(ClientConfig.of(clientOptions, requestTimeout, settings), settings);
  }
}
