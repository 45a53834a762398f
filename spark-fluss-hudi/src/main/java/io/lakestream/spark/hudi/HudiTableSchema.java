package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import org.apache.avro.Schema;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.TableSchemaResolver;

/** Reads the newest schema of a Hudi table; the call differs between Hudi 1.1 and 1.2. */
final class HudiTableSchema {
  private HudiTableSchema() {}

  /** The schema of the newest commit, or of the table's creation; without Hudi's own columns. */
  static Schema read(Object table, HoodieTableMetaClient client) {
    try {
      return new TableSchemaResolver(client).getTableAvroSchema(false);
    } catch (Exception e) {
      throw LakestreamException.of(
          ErrorCode.LAKE_UNREADABLE,
          table,
          "the schema of the Hudi table at " + client.getBasePath() + " cannot be read.",
          "Check that 'hoodie.table.create.schema' or the newest commit holds one.",
          e);
    }
  }
}
