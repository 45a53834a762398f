package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import java.util.List;
import org.apache.hudi.common.config.RecordMergeMode;
import org.apache.hudi.common.model.HoodieFileFormat;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableVersion;

/** Refuses Hudi tables whose rows cannot be read exactly by applying changes in commit order. */
final class TableFeatures {
  private static final String DROP_PARTITION_COLUMNS =
      "hoodie.datasource.write.drop.partition.columns";

  /** What every table of these versions says of itself. */
  private static final List<String> ALWAYS_THERE =
      List.of(
          HoodieTableConfig.NAME.key(),
          HoodieTableConfig.TYPE.key(),
          HoodieTableConfig.VERSION.key(),
          HoodieTableConfig.TIMELINE_LAYOUT_VERSION.key(),
          HoodieTableConfig.TABLE_CHECKSUM.key());

  private TableFeatures() {}

  /**
   * @throws LakestreamException {@code LAKE_UNSUPPORTED}, {@code LAKE_UNREADABLE} if the table's
   *     properties are not whole
   */
  static void check(Object table, String path, HoodieTableConfig config) {
    requireWhole(table, path, config);
    HoodieTableVersion version = config.getTableVersion();
    if (version.lesserThan(HoodieTableVersion.EIGHT)) {
      throw unsupported(
          table,
          "the Hudi table has version " + version.versionCode() + ", versions from 8 are read",
          "Upgrade it with Hudi 1.0 or later.");
    }
    if (config.getBaseFileFormat() != HoodieFileFormat.PARQUET
        || config.isMultipleBaseFileFormatsEnabled()) {
      throw unsupported(
          table,
          "the Hudi table's base files are " + config.getBaseFileFormat() + ", not PARQUET alone",
          "Write it with Parquet base files.");
    }
    if (config.getBootstrapBasePath().isPresent()) {
      throw unsupported(
          table,
          "the Hudi table was bootstrapped from " + config.getBootstrapBasePath().get(),
          "Rewrite it as a plain Hudi table.");
    }
    if (Boolean.parseBoolean(config.getProps().getProperty(DROP_PARTITION_COLUMNS, "false"))) {
      throw unsupported(
          table,
          "the Hudi table leaves the partition columns out of its files",
          "Write it with '" + DROP_PARTITION_COLUMNS + "=false'.");
    }
    if (config.getTableType() == HoodieTableType.MERGE_ON_READ) {
      checkMerging(table, config);
    }
  }

  /**
   * Hudi takes what is missing for the default: another type of table, for example.
   *
   * @throws LakestreamException {@code LAKE_UNREADABLE}
   */
  static void requireWhole(Object table, String path, HoodieTableConfig config) {
    for (String key : ALWAYS_THERE) {
      if (!config.getProps().containsKey(key)) {
        throw LakestreamException.of(
            ErrorCode.LAKE_UNREADABLE,
            table,
            "the properties of the Hudi table at "
                + path
                + " lack '"
                + key
                + "': they are damaged.",
            "Restore '.hoodie/hoodie.properties', for example from its backup beside it.");
      }
    }
  }

  private static void checkMerging(Object table, HoodieTableConfig config) {
    if (!config.populateMetaFields()) {
      throw unsupported(
          table,
          "the merge-on-read table has 'hoodie.populate.meta.fields=false', so that its files lack"
              + " the record key",
          "Write it with meta fields.");
    }
    RecordMergeMode mode = config.getRecordMergeMode();
    if (mode == RecordMergeMode.CUSTOM) {
      throw unsupported(
          table,
          "the merge-on-read table has the merge mode CUSTOM",
          "Only COMMIT_TIME_ORDERING, and EVENT_TIME_ORDERING without ordering fields, keep the"
              + " order of the Fluss log.");
    }
    if (mode == RecordMergeMode.EVENT_TIME_ORDERING && !config.getOrderingFields().isEmpty()) {
      throw unsupported(
          table,
          "the merge-on-read table orders changes by "
              + config.getOrderingFields()
              + " (EVENT_TIME_ORDERING), not by the Fluss log",
          "Write it without ordering fields.");
    }
    if (config.getPartialUpdateMode().isPresent()) {
      throw unsupported(
          table,
          "the merge-on-read table has the partial update mode "
              + config.getPartialUpdateMode().get(),
          "Write it with whole rows.");
    }
  }

  private static LakestreamException unsupported(Object table, String problem, String remedy) {
    return LakestreamException.of(ErrorCode.LAKE_UNSUPPORTED, table, problem + ".", remedy);
  }
}
