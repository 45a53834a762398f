package io.lakestream.spark.hudi;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.hudi.client.heartbeat.HeartbeatUtils;
import org.apache.hudi.client.heartbeat.HoodieHeartbeatClient;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.StoragePath;

/**
 * Signs of life of the writers of pending instants: Hudi's heartbeat files, one for each instant,
 * whose modification time is the last sign. Ages are told by the clock of the file system, which
 * all writers share, not by the clocks of their machines. Not thread-safe.
 */
final class HudiHeartbeats implements Closeable {
  /** How many signs may be missed before a writer counts as dead. */
  private static final int TOLERATED_MISSES = 2;

  private final HoodieStorage storage;
  private final HoodieTableMetaClient client;
  private final String basePath;
  private final Duration timeout;
  private final HudiClaims claims;
  private final HoodieHeartbeatClient beating;

  /**
   * @param timeout how long a writer may be silent before it counts as dead
   */
  HudiHeartbeats(HoodieTableMetaClient client, Duration timeout) {
    this.client = client;
    this.storage = client.getStorage();
    this.basePath = client.getBasePath().toString();
    this.timeout = timeout;
    this.claims = new HudiClaims(client);
    this.beating =
        new HoodieHeartbeatClient(
            storage, basePath, timeout.toMillis() / (TOLERATED_MISSES + 1), TOLERATED_MISSES);
  }

  /**
   * Claims an instant that is not on the timeline yet, and gives signs of life for it until {@link
   * #end} or {@link #close}.
   *
   * @return whether no other writer came to the same instant
   */
  boolean start(String instant) throws IOException {
    if (!claims.add(instant, 0)) {
      return false;
    }
    beating.start(instant);
    return true;
  }

  /**
   * Takes over an instant that is pending already, unless somebody alive has it. Its state may have
   * changed by then, so look at it again.
   *
   * @return whether it is now this writer's, with signs of life as from {@link #start}
   */
  boolean takeOver(String instant) throws IOException {
    int seen = claims.count(instant);
    Optional<Duration> silence = silence(instant);
    if (silence.isPresent() && isAlive(silence.get()) || !claims.add(instant, seen)) {
      return false;
    }
    beating.start(instant);
    return true;
  }

  /** Whether somebody took an instant over from the writer that requested it. */
  boolean isTakenOver(String instant) throws IOException {
    return claims.count(instant) > 1;
  }

  /** Whether the signs of life that this writer gives have gone on without too long a break. */
  boolean isBeating(String instant) {
    try {
      return !beating.isHeartbeatExpired(instant);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Stops the signs for an instant that is no longer pending; forgets them and its claims. */
  void end(String instant) {
    beating.stop(instant);
    try {
      // Those of another writer are still there.
      if (HoodieHeartbeatClient.heartbeatExists(storage, basePath, instant)) {
        HeartbeatUtils.deleteHeartbeatFile(storage, basePath, instant);
      }
      claims.remove(instant);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** How long ago the last sign for an instant, or the last claim on it, was; empty if none. */
  Optional<Duration> silence(String instant) throws IOException {
    OptionalLong claimed = claims.newestAt(instant);
    boolean beaten = HoodieHeartbeatClient.heartbeatExists(storage, basePath, instant);
    if (!beaten && claimed.isEmpty()) {
      return Optional.empty();
    }
    long last =
        Math.max(
            claimed.orElse(0),
            beaten ? storage.getPathInfo(file(instant)).getModificationTime() : 0);
    return Optional.of(Duration.ofMillis(Math.max(0, now() - last)));
  }

  boolean isAlive(Duration silence) {
    return silence.compareTo(timeout) <= 0;
  }

  Duration timeout() {
    return timeout;
  }

  private StoragePath file(String instant) {
    return new StoragePath(beating.getHeartbeatFolderPath(), instant);
  }

  private long now() throws IOException {
    StoragePath probe =
        new StoragePath(client.getMetaAuxiliaryPath(), "clock-" + UUID.randomUUID());
    try {
      storage.create(probe, true).close();
      return storage.getPathInfo(probe).getModificationTime();
    } finally {
      storage.deleteFile(probe);
    }
  }

  /** Stops giving signs; instants that are still pending will be found dead. */
  @Override
  public void close() {
    beating.stopHeartbeatTimers();
  }
}
