package io.lakestream.spark.hudi;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;

/**
 * Who may work on a pending instant: numbered files, of which each can be created once. The writer
 * of a round claims number 0 before it requests the instant. Who takes over creates the number
 * after the newest one that it saw before it judged that one's owner dead, so of several one wins,
 * and no claim is ever replaced. Needs a file system on which the creation of a file fails if it is
 * there.
 */
final class HudiClaims {
  private static final String FOLDER = "lakestream-claims";

  private final HoodieStorage storage;
  private final StoragePath folder;

  HudiClaims(HoodieTableMetaClient client) {
    this.storage = client.getStorage();
    this.folder = new StoragePath(client.getMetaAuxiliaryPath(), FOLDER);
  }

  /** How many claims there were on an instant. */
  int count(String instant) throws IOException {
    return files(instant).stream().mapToInt(file -> number(file) + 1).max().orElse(0);
  }

  /** When the newest claim was made, in milliseconds by the clock of the file system. */
  OptionalLong newestAt(String instant) throws IOException {
    return files(instant).stream().mapToLong(StoragePathInfo::getModificationTime).max();
  }

  /**
   * Claims an instant.
   *
   * @param seen the {@link #count} on which the decision to claim rests
   * @return whether nobody else was faster
   */
  boolean add(String instant, int seen) throws IOException {
    return storage.createNewFile(new StoragePath(folder, instant + "." + seen));
  }

  /** Removes the claims on an instant that is settled. */
  void remove(String instant) throws IOException {
    for (StoragePathInfo file : files(instant)) {
      storage.deleteFile(file.getPath());
    }
  }

  private List<StoragePathInfo> files(String instant) throws IOException {
    if (!storage.exists(folder)) {
      return List.of();
    }
    String prefix = instant + ".";
    return storage.listDirectEntries(folder).stream()
        .filter(file -> file.getPath().getName().startsWith(prefix))
        .toList();
  }

  private static int number(StoragePathInfo file) {
    String name = file.getPath().getName();
    return Integer.parseInt(name.substring(name.lastIndexOf('.') + 1));
  }
}
