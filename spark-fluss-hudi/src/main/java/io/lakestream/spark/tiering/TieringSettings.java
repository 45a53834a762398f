package io.lakestream.spark.tiering;

import java.util.List;

/**
 * What a round needs to know beside the table itself.
 *
 * @param lakePath the Hudi table's folder; created if it does not exist
 * @param recordKey the columns of Hudi's record key for a log table, empty for the default, see
 *     {@link io.lakestream.spark.lake.LakeTableDefinition}
 * @param limits how much work a round and its tasks take at once
 */
public record TieringSettings(String lakePath, List<String> recordKey, RoundLimits limits) {
  public TieringSettings {
    recordKey = List.copyOf(recordKey);
  }

  /** Settings with the default record key and limits. */
  public static TieringSettings at(String lakePath) {
    return new TieringSettings(lakePath, List.of(), RoundLimits.DEFAULT);
  }
}
