package io.lakestream.spark.hudi;

import io.lakestream.spark.lake.LakeFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.hudi.common.config.HoodieMetadataConfig;
import org.apache.hudi.common.engine.HoodieLocalEngineContext;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.hudi.common.model.HoodieLogFile;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.metadata.FileSystemBackedTableMetadata;
import org.apache.hudi.metadata.HoodieBackedTableMetadata;
import org.apache.hudi.metadata.HoodieTableMetadata;
import org.apache.hudi.metadata.MetadataPartitionType;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;

/**
 * The files that lie in a table: from the {@code files} partition of its metadata table where it
 * has one, else from directory listings. Only candidates: what belongs to an instant is decided by
 * {@link SliceBuilder}.
 *
 * @param files base and log files
 * @param committedOnly whether only files of completed instants are in the listing, which holds for
 *     the metadata table
 */
record FileListing(List<DataFile> files, boolean committedOnly) {

  /** Lists the wanted partition folders, those known to the caller included. */
  static FileListing of(
      HoodieTableMetaClient client, Iterable<String> knownPaths, Predicate<String> wanted)
      throws IOException {
    HoodieLocalEngineContext engine = new HoodieLocalEngineContext(client.getStorageConf());
    String base = client.getBasePath().toString();
    boolean indexed =
        client.getTableConfig().isMetadataPartitionAvailable(MetadataPartitionType.FILES);
    try (HoodieTableMetadata metadata =
        indexed
            ? new HoodieBackedTableMetadata(
                engine,
                client.getStorage(),
                HoodieMetadataConfig.newBuilder().enable(true).build(),
                base)
            : new FileSystemBackedTableMetadata(engine, client.getStorage(), base)) {
      return new FileListing(list(client, metadata, knownPaths, wanted), indexed);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private static List<DataFile> list(
      HoodieTableMetaClient client,
      HoodieTableMetadata metadata,
      Iterable<String> knownPaths,
      Predicate<String> wanted)
      throws IOException {
    TreeSet<String> paths = new TreeSet<>();
    knownPaths.forEach(paths::add);
    if (client.getTableConfig().isTablePartitioned()) {
      paths.addAll(metadata.getAllPartitionPaths());
    } else {
      paths.add("");
    }
    paths.removeIf(wanted.negate());
    List<String> folders = new ArrayList<>();
    for (String path : paths) {
      folders.add(FSUtils.constructAbsolutePath(client.getBasePath(), path).toString());
    }
    List<DataFile> files = new ArrayList<>();
    StoragePath base = client.getBasePath();
    for (List<StoragePathInfo> infos : metadata.getAllFilesInPartitions(folders).values()) {
      for (StoragePathInfo info : infos) {
        String path = FSUtils.getRelativePartitionPath(base, info.getPath().getParent());
        parse(path, info.getPath(), info.getLength()).ifPresent(files::add);
      }
    }
    return files;
  }

  /** What a file's name says about it; empty if it is neither a base nor a row log file. */
  static Optional<DataFile> parse(String partitionPath, StoragePath path, long length) {
    String name = path.getName();
    LakeFile file = new LakeFile(path.toString(), length);
    if (FSUtils.isLogFile(name)) {
      HoodieLogFile log = new HoodieLogFile(path);
      if (log.isCDC()) {
        return Optional.empty();
      }
      return Optional.of(
          new DataFile(
              new FileGroup(partitionPath, log.getFileId()),
              name,
              log.getDeltaCommitTime(),
              log.getLogVersion(),
              log.getLogWriteToken(),
              true,
              file));
    }
    if (!FSUtils.isBaseFile(path)) {
      return Optional.empty();
    }
    return Optional.of(
        new DataFile(
            new FileGroup(partitionPath, FSUtils.getFileId(name)),
            name,
            FSUtils.getCommitTime(name),
            0,
            FSUtils.getWriteTokenFromBaseFile(name),
            false,
            file));
  }
}
