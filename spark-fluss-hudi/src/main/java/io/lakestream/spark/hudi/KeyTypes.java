package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeTableDefinition;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import java.util.List;

/** Refuses tables whose record or bucket key has a type that has no spelling as a key in Hudi. */
final class KeyTypes {
  private KeyTypes() {}

  /**
   * Checks a table's keys.
   *
   * @throws LakestreamException {@code TIERING_REFUSED} with the column and its type
   */
  static void check(LakeTableDefinition definition) {
    check(definition, "primary-key", definition.primaryKey());
    check(definition, "bucket-key", definition.bucketColumns());
    check(definition, "record-key", definition.recordKey());
  }

  private static void check(LakeTableDefinition definition, String role, List<String> columns) {
    for (String name : columns) {
      int ordinal = definition.schema().indexOf(name);
      if (ordinal < 0) {
        continue;
      }
      LogicalType type = definition.schema().columns().get(ordinal).type();
      if (!isSpelled(type)) {
        throw LakestreamException.of(
            ErrorCode.TIERING_REFUSED,
            definition.table(),
            "the " + role + " column " + name + " has the type " + type + ".",
            "Use a key of numbers, text, dates, times or booleans.");
      }
    }
  }

  private static boolean isSpelled(LogicalType type) {
    return type instanceof LogicalType.Scalar scalar
        && scalar.kind() != Kind.BINARY
        && scalar.kind() != Kind.BYTES;
  }
}
