package io.lakestream.spark.hudi;

import java.util.List;
import org.apache.avro.Schema;

/** A block of a log file, free of Hudi's classes. */
sealed interface LogBlock {
  /** The requested time of the instant that wrote it. */
  String instant();

  /**
   * Rows, each an insert or update by record key.
   *
   * @param schema the schema that they were written with
   * @param records the Avro-encoded records
   */
  record Rows(String instant, Schema schema, EncodedRecords records) implements LogBlock {}

  /** Deletions by record key. */
  record Deletes(String instant, List<String> keys) implements LogBlock {}

  /** Takes back all earlier blocks of an instant. */
  record Rollback(String instant, String target) implements LogBlock {}
}
