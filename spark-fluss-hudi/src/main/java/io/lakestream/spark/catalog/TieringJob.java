package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.tiering.RoundResult;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main class for {@code spark-submit}: one round of each table named by the arguments, {@code
 * catalog.database.table}, one after the other. With {@code --compact} before the names,
 * primary-key tables are compacted after their round. The catalogs are configured with {@code
 * --conf}.
 */
public final class TieringJob {
  private static final Logger LOG = LoggerFactory.getLogger(TieringJob.class);
  private static final String COMPACT = "--compact";

  private TieringJob() {}

  /** Runs the job; a failed round ends it with that round's error. */
  public static void main(String[] arguments) {
    boolean compact = arguments.length > 0 && arguments[0].equals(COMPACT);
    int first = compact ? 1 : 0;
    if (arguments.length == first) {
      throw usage("no table is named");
    }
    SparkSession session = SparkSession.builder().appName("lakestream tiering").getOrCreate();
    try {
      for (int i = first; i < arguments.length; i++) {
        tier(session, arguments[i], compact);
      }
    } finally {
      session.stop();
    }
  }

  private static void tier(SparkSession session, String name, boolean compact) {
    String[] parts = name.split("\\.", 2);
    if (parts.length != 2) {
      throw usage("'" + name + "' is not catalog.database.table");
    }
    RoundResult result = LakestreamTiering.tierOnce(session, parts[0], parts[1]);
    LOG.info(
        "{}: instant {}, {} rows, {} deletes",
        name,
        result.instant().orElse("none, nothing was new"),
        result.rows(),
        result.deletes());
    if (compact) {
      LakestreamTiering.compact(session, parts[0], parts[1])
          .ifPresent(instant -> LOG.info("{}: compacted at instant {}", name, instant));
    }
  }

  private static LakestreamException usage(String problem) {
    return LakestreamException.of(
        ErrorCode.INVALID_OPTION,
        "tiering job",
        problem + ".",
        "Usage: [" + COMPACT + "] catalog.database.table ...");
  }
}
