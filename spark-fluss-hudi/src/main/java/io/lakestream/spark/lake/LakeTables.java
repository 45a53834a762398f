package io.lakestream.spark.lake;

/** Opens lake tables for writing and creates those that do not exist yet. Thread-safe. */
public interface LakeTables {

  /**
   * Opens the Hudi table at the definition's path for writing; creates it if there is none, in the
   * layout of Fluss's own tiering (FIP-24), so that either service can go on with the table.
   *
   * @throws io.lakestream.spark.error.LakestreamException {@code TIERING_REFUSED} if a column
   *     cannot be stored, {@code LAKE_MISMATCH} if the Hudi table belongs to another table, {@code
   *     SCHEMA_MISMATCH} if its columns have other types
   */
  LakeTableWriter openOrCreate(LakeTableDefinition definition);
}
