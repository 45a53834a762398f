package io.lakestream.spark.fluss;

import static java.util.Map.entry;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogTable;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.config.cluster.ConfigEntry;
import org.apache.fluss.exception.AuthorizationException;
import org.apache.fluss.exception.UnsupportedVersionException;
import org.apache.fluss.fs.FileSystem;
import org.apache.fluss.fs.FsPath;
import org.apache.fluss.fs.UnsupportedFileSystemSchemeException;

/**
 * Whether this JVM can read the file system to which the cluster moves older log segments. The
 * Fluss client brings only the local one; the others are jars of their own, and without one a
 * reader would try a download again and again.
 */
final class RemoteFileSystem {
  private static final String REMOTE_DATA_DIR = "remote.data.dir";

  /** The plug-in jars by the scheme that they serve. */
  private static final Map<String, String> PLUG_INS =
      Map.ofEntries(
          entry("hdfs", "fluss-fs-hdfs"),
          entry("viewfs", "fluss-fs-hdfs"),
          entry("s3", "fluss-fs-s3"),
          entry("s3a", "fluss-fs-s3"),
          entry("oss", "fluss-fs-oss"),
          entry("obs", "fluss-fs-obs"),
          entry("cosn", "fluss-fs-cos"),
          entry("gs", "fluss-fs-gs"),
          entry("abfs", "fluss-fs-azure"),
          entry("abfss", "fluss-fs-azure"),
          entry("wasb", "fluss-fs-azure"),
          entry("wasbs", "fluss-fs-azure"));

  private RemoteFileSystem() {}

  /**
   * Checks the table's remote directory, as the cluster tells it.
   *
   * @throws LakestreamException {@code FILE_SYSTEM_MISSING} naming the scheme and the jar
   */
  static void require(Requests requests, LogTable table) {
    Optional<String> directory =
        requests.repeating(
            table.path(),
            "look up the remote data directory",
            connection -> {
              Optional<String> ofTable = ofTable(connection, table);
              return ofTable.isPresent() ? ofTable : ofCluster(connection);
            });
    directory.ifPresent(path -> requirePlugIn(table, path));
  }

  /** A 1.x server tells each table's own directory. */
  private static Optional<String> ofTable(FlussConnection connection, LogTable table)
      throws ExecutionException, InterruptedException {
    return Optional.ofNullable(
        connection
            .getAdmin()
            .getTableInfo(FlussTables.path(table.path()))
            .get()
            .getRemoteDataDir());
  }

  /** Who may not see the cluster's options learns of a missing plug-in when a download fails. */
  private static Optional<String> ofCluster(FlussConnection connection)
      throws ExecutionException, InterruptedException {
    try {
      return connection.getAdmin().describeClusterConfigs().get().stream()
          .filter(entry -> entry.key().equals(REMOTE_DATA_DIR))
          .map(ConfigEntry::value)
          .findFirst();
    } catch (ExecutionException e) {
      Throwable cause = FlussErrors.unwrap(e);
      if (cause instanceof AuthorizationException || cause instanceof UnsupportedVersionException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  static void requirePlugIn(LogTable table, String directory) {
    URI uri = new FsPath(directory).toUri();
    try {
      FileSystem.get(uri);
    } catch (UnsupportedFileSystemSchemeException e) {
      String jar = PLUG_INS.getOrDefault(uri.getScheme(), "fluss-fs-" + uri.getScheme());
      throw LakestreamException.of(
          ErrorCode.FILE_SYSTEM_MISSING,
          table.path(),
          "the cluster keeps older log segments at "
              + directory
              + ", and no Fluss plug-in for the"
              + " scheme "
              + uri.getScheme()
              + " is on the class path.",
          "Add the jar " + jar + " of the Fluss version in use to the driver and the executors.",
          e);
    } catch (IOException e) {
      throw LakestreamException.of(
          ErrorCode.LOG_UNREADABLE,
          table.path(),
          "the file system of "
              + directory
              + ", where the cluster keeps older log segments,"
              + " cannot be used: "
              + e.getMessage(),
          "Set its client.fs.* options.",
          e);
    }
  }
}
