package io.lakestream.spark.hudi;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
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
  private final HoodieHeartbeatClient beating;

  /**
   * @param timeout how long a writer may be silent before it counts as dead
   */
  HudiHeartbeats(HoodieTableMetaClient client, Duration timeout) {
    this.client = client;
    this.storage = client.getStorage();
    this.basePath = client.getBasePath().toString();
    this.timeout = timeout;
    this.beating =
        new HoodieHeartbeatClient(
            storage, basePath, timeout.toMillis() / (TOLERATED_MISSES + 1), TOLERATED_MISSES);
  }

  /** Gives a first sign of life for an instant and goes on until {@link #end} or {@link #close}. */
  void start(String instant) {
    beating.start(instant);
  }

  /**
   * Takes over an instant that is pending already, unless somebody alive has it.
   *
   * @return whether it is now this writer's, with signs of life as from {@link #start}
   */
  boolean claim(String instant) throws IOException {
    StoragePath file = file(instant);
    if (!storage.createNewFile(file)) {
      Optional<Duration> silence = silence(instant);
      if (silence.isPresent() && isAlive(silence.get())) {
        return false;
      }
      storage.deleteFile(file);
      if (!storage.createNewFile(file)) {
        return false;
      }
    }
    start(instant);
    return true;
  }

  /** Whether the signs of {@link #start} have gone on without too long a break. */
  boolean isBeating(String instant) {
    try {
      return !beating.isHeartbeatExpired(instant);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Stops the signs for an instant that is no longer pending, and forgets them. */
  void end(String instant) {
    beating.stop(instant);
    try {
      // Those of another writer are still there.
      if (HoodieHeartbeatClient.heartbeatExists(storage, basePath, instant)) {
        HeartbeatUtils.deleteHeartbeatFile(storage, basePath, instant);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** How long ago the last sign for an instant was, empty if there is none. */
  Optional<Duration> silence(String instant) throws IOException {
    if (!HoodieHeartbeatClient.heartbeatExists(storage, basePath, instant)) {
      return Optional.empty();
    }
    long last = storage.getPathInfo(file(instant)).getModificationTime();
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
