package io.lakestream.spark.catalog;

import io.lakestream.spark.tiering.RoundResult;
import io.lakestream.spark.tiering.TableOwner;
import io.lakestream.spark.tiering.TableStatus;
import io.lakestream.spark.tiering.service.ProgressLine;
import io.lakestream.spark.tiering.service.TieringService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.runtime.BoxedUnit;

/**
 * The main class for {@code spark-submit}. It tiers the named tables and databases once, one after
 * the other; with {@code --serve} it goes on until it is told to end; with {@code --status} it only
 * tells how far they are. See {@link TieringArguments}. The catalogs are configured with {@code
 * --conf}.
 */
public final class TieringJob {
  private static final Logger LOG = LoggerFactory.getLogger(TieringJob.class);

  /** How long a round may go on after the job was told to end, before Spark itself is stopped. */
  private static final Duration GRACE = Duration.ofSeconds(25);

  private TieringJob() {}

  /**
   * Runs the job. If rounds failed, the others are run all the same; the job then ends with the
   * first error.
   */
  public static void main(String[] arguments) throws InterruptedException {
    TieringArguments wanted = TieringArguments.parse(arguments);
    SparkSession session = SparkSession.builder().appName("lakestream tiering").getOrCreate();
    try {
      if (wanted.mode() == TieringArguments.Mode.SERVE) {
        serve(session, wanted);
      } else {
        once(session, wanted);
      }
    } finally {
      session.stop();
    }
  }

  private static void serve(SparkSession session, TieringArguments wanted)
      throws InterruptedException {
    TieringService service =
        LakestreamTiering.service(session, wanted.names(), wanted.parallelism());
    Object hook =
        ShutdownHookManager.addShutdownHook(
            ShutdownHookManager.SPARK_CONTEXT_SHUTDOWN_PRIORITY() + 1,
            () -> {
              end(service);
              return BoxedUnit.UNIT;
            });
    service.start();
    service.awaitTermination(Duration.ofMillis(Long.MAX_VALUE));
    ShutdownHookManager.removeShutdownHook(hook);
  }

  private static void end(TieringService service) {
    service.stop();
    try {
      if (!service.awaitTermination(GRACE)) {
        LOG.warn(
            "A round did not end within {} s; the next job takes back what it began.",
            GRACE.toSeconds());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void once(SparkSession session, TieringArguments wanted) {
    CatalogTables tables = new CatalogTables(session, wanted.names());
    List<Exception> failures = new ArrayList<>();
    for (String table : tables.atOnce(wanted.mode() == TieringArguments.Mode.STATUS)) {
      try {
        once(session, tables, table, wanted);
      } catch (Exception failure) {
        LOG.error("{}: failed.", table, failure);
        failures.add(failure);
      }
    }
    if (!failures.isEmpty()) {
      throw failures.get(0) instanceof RuntimeException first
          ? first
          : new IllegalStateException(failures.get(0));
    }
  }

  private static void once(
      SparkSession session, CatalogTables tables, String table, TieringArguments wanted) {
    if (wanted.mode() == TieringArguments.Mode.STATUS) {
      LOG.info("{}", StatusText.of(tables.status(table)));
      return;
    }
    RoundResult result = tables.tier(table, TableOwner.NOBODY);
    TableName name = TableName.parse(table);
    Optional<String> maintenance =
        wanted.mode() == TieringArguments.Mode.TIER_AND_COMPACT
            ? LakestreamTiering.compact(session, name.catalog(), name.inCatalog())
                .map(instant -> "compacted at " + instant)
            : Optional.empty();
    TableStatus status = tables.status(table);
    LOG.info("{}", ProgressLine.of(table, result, status, maintenance));
    status.warning().ifPresent(LOG::warn);
  }
}
