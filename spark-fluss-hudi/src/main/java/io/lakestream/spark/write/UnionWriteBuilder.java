package io.lakestream.spark.write;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.options.OptionResolver;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.SupportsDynamicOverwrite;
import org.apache.spark.sql.connector.write.SupportsOverwriteV2;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;

/**
 * Builds an append to a log table or an upsert into a primary-key table. Both are at-least-once: a
 * task that is tried again writes its rows again. That is harmless for upserts of the same rows and
 * shows as duplicates in log tables.
 */
public final class UnionWriteBuilder
    implements WriteBuilder, SupportsOverwriteV2, SupportsDynamicOverwrite {
  private final LogCluster cluster;
  private final LogTable table;
  private final OptionResolver options;

  public UnionWriteBuilder(LogCluster cluster, LogTable table, OptionResolver options) {
    this.cluster = cluster;
    this.table = table;
    this.options = options;
  }

  @Override
  public Write build() {
    boolean speculation =
        SparkSession.active().sparkContext().conf().getBoolean("spark.speculation", false);
    if (speculation
        && !table.hasPrimaryKey()
        && !options.get(LakestreamOptions.ALLOW_SPECULATION)) {
      throw LakestreamException.of(
          ErrorCode.SPECULATIVE_WRITE,
          table.path(),
          "'spark.speculation' is 'true', and a losing attempt may have appended its rows to this"
              + " log table already.",
          "Switch speculation off for this job, or accept duplicates with"
              + " 'write.allow-speculation' = 'true'.");
    }
    return new Write() {
      @Override
      public BatchWrite toBatch() {
        return new AppendBatchWrite(cluster.writerFactory(table));
      }

      @Override
      public String description() {
        return (table.hasPrimaryKey() ? "upsert into " : "append to ") + table.path();
      }
    };
  }

  @Override
  public boolean canOverwrite(Predicate[] predicates) {
    return true;
  }

  @Override
  public WriteBuilder overwrite(Predicate[] predicates) {
    throw overwriteRefused();
  }

  @Override
  public WriteBuilder overwriteDynamicPartitions() {
    throw overwriteRefused();
  }

  @Override
  public WriteBuilder truncate() {
    throw overwriteRefused();
  }

  private LakestreamException overwriteRefused() {
    return LakestreamException.of(
        ErrorCode.UNSUPPORTED_OPERATION,
        table.path(),
        "INSERT OVERWRITE is not offered: a log cannot be overwritten.",
        "Use INSERT INTO; it appends to log tables and upserts into primary-key tables.");
  }
}
