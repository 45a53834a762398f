package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.exception.HoodieException;
import org.apache.hudi.storage.hadoop.HadoopStorageConfiguration;

/** Opens Hudi's own view of a table. */
final class HudiMetaClients {
  private static final String PROPERTIES = ".hoodie/hoodie.properties";

  private HudiMetaClients() {}

  /**
   * Reads the table's properties and active timeline as they are now.
   *
   * @param table for messages
   * @throws LakestreamException {@code LAKE_NOT_FOUND}, {@code LAKE_UNREADABLE}
   */
  static HoodieTableMetaClient open(Object table, String path, Configuration conf) {
    try {
      requireTable(table, path, conf);
      return HoodieTableMetaClient.builder()
          .setBasePath(path)
          .setConf(new HadoopStorageConfiguration(new Configuration(conf)))
          .setLoadActiveTimelineOnLoad(true)
          .build();
    } catch (IOException | HoodieException | IllegalArgumentException e) {
      // The last is what Hudi says to properties that are damaged.
      throw LakestreamException.of(
          ErrorCode.LAKE_UNREADABLE,
          table,
          "the Hudi table at " + path + " cannot be opened: " + e.getMessage() + ".",
          "Check the file system options ('hadoop.*') and the permissions of the path.",
          e);
    }
  }

  /** Looks for the properties first: Hudi itself retries for seconds before it gives up. */
  private static void requireTable(Object table, String path, Configuration conf)
      throws IOException {
    Path properties = new Path(path, PROPERTIES);
    if (!properties.getFileSystem(conf).exists(properties)) {
      throw LakestreamException.of(
          ErrorCode.LAKE_NOT_FOUND,
          table,
          "there is no Hudi table at " + path + ".",
          "Check the lake path of the table; the folder must hold '" + PROPERTIES + "'.");
    }
  }
}
