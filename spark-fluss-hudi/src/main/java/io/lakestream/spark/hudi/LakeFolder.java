package io.lakestream.spark.hudi;

import static org.apache.hudi.common.table.HoodieTableMetaClient.METAFOLDER_NAME;
import static org.apache.hudi.common.table.HoodieTableMetaClient.TIMELINEFOLDER_NAME;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeTableDefinition;
import java.io.IOException;
import java.util.List;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.HoodieStorageUtils;
import org.apache.hudi.storage.StorageConfiguration;
import org.apache.hudi.storage.StoragePath;

/** The folder in which a lake table is, or is to be. */
final class LakeFolder {
  private final LakeTableDefinition definition;
  private final HoodieStorage files;
  private final StoragePath path;
  private final StoragePath meta;

  LakeFolder(LakeTableDefinition definition, StorageConfiguration<?> storage) {
    this.definition = definition;
    this.path = new StoragePath(definition.path());
    this.meta = new StoragePath(path, METAFOLDER_NAME);
    this.files = HoodieStorageUtils.getStorage(path, storage);
  }

  /**
   * Whether a Hudi table is there. Hudi's own way to find out is to fail, and only after seconds of
   * trying. A change of the properties that died leaves their backup alone, which Hudi reads.
   */
  boolean isHudiTable() throws IOException {
    return files.exists(new StoragePath(meta, HoodieTableConfig.HOODIE_PROPERTIES_FILE))
        || files.exists(new StoragePath(meta, HoodieTableConfig.HOODIE_PROPERTIES_FILE_BACKUP));
  }

  /**
   * Checks that a table can be created here.
   *
   * @throws LakestreamException {@code LAKE_MISMATCH} if something else is there
   */
  void checkFree() throws IOException {
    checkEmpty();
    checkNoTimeline();
    checkNotInsideAnother();
  }

  /** A creation that died leaves Hudi's folder without the properties; it is done again. */
  private void checkEmpty() throws IOException {
    if (files.exists(path)
        && files.listDirectEntries(path).stream()
            .anyMatch(entry -> !entry.getPath().getName().equals(METAFOLDER_NAME))) {
      throw mismatch(
          "the folder " + path + " is not empty and holds no Hudi table.",
          "Give the table a lake path of its own.");
    }
  }

  /** A table whose rounds had no rows yet has a timeline, but no other files. */
  private void checkNoTimeline() throws IOException {
    StoragePath timeline = new StoragePath(meta, TIMELINEFOLDER_NAME);
    List<String> instants =
        files.exists(timeline)
            ? files.listFiles(timeline).stream().map(file -> file.getPath().getName()).toList()
            : List.of();
    if (!instants.isEmpty()) {
      throw mismatch(
          "the folder "
              + meta
              + " has a timeline, with "
              + instants.get(0)
              + ", but no "
              + HoodieTableConfig.HOODIE_PROPERTIES_FILE
              + ".",
          "Restore that file, or give the table a lake path of its own.");
    }
  }

  /** Readers of the outer table would take this one for a partition of it. */
  private void checkNotInsideAnother() throws IOException {
    for (StoragePath folder = path.getParent(); folder != null; folder = above(folder)) {
      if (files.exists(new StoragePath(folder, METAFOLDER_NAME))) {
        throw mismatch(
            "the folder " + path + " is inside the Hudi table at " + folder + ".",
            "Give the table a lake path of its own.");
      }
    }
  }

  private static StoragePath above(StoragePath folder) {
    return folder.depth() == 0 ? null : folder.getParent();
  }

  private LakestreamException mismatch(String problem, String remedy) {
    return LakestreamException.of(ErrorCode.LAKE_MISMATCH, definition.table(), problem, remedy);
  }
}
