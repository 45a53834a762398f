package io.lakestream.spark.catalog;

import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.tiering.RoundResult;
import io.lakestream.spark.tiering.StatusReader;
import io.lakestream.spark.tiering.TableStatus;
import io.lakestream.spark.tiering.TieringRound;
import io.lakestream.spark.tiering.service.ServiceSettings;
import io.lakestream.spark.tiering.service.TieringMetrics;
import io.lakestream.spark.tiering.service.TieringService;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;

/**
 * Tiering from Java: single rounds and compactions of a table of a configured {@link
 * LakestreamCatalog}, how far a table is, and a service that tiers many tables. Thread-safe, but
 * run one round per table at a time.
 */
public final class LakestreamTiering {
  private static final Duration DISCOVERY = Duration.ofSeconds(30);
  private static final Duration LEASE_POLL = Duration.ofSeconds(15);

  /** Coordinators take a table back after two minutes of silence. */
  private static final Duration LEASE_RENEWAL = Duration.ofSeconds(30);

  private LakestreamTiering() {}

  /**
   * Moves what is new in the table's log into its lake.
   *
   * @param catalog the name of the catalog in the session
   * @param table {@code database.table}
   * @throws io.lakestream.spark.error.LakestreamException see {@link TieringRound#run}
   */
  public static RoundResult tierOnce(SparkSession session, String catalog, String table) {
    TieringTarget target = TieringTarget.find(session, catalog, table);
    return target.round(session).run(target.path(), target.settings());
  }

  /**
   * Compacts the lake of a primary-key table.
   *
   * @return the requested time of the compaction, empty if there was nothing to compact
   * @throws io.lakestream.spark.error.LakestreamException {@code TIERING_CONFLICT} beside a live
   *     round or compaction of the table
   */
  public static Optional<String> compact(SparkSession session, String catalog, String table) {
    TieringTarget target = TieringTarget.find(session, catalog, table);
    return target.round(session).compact(target.path(), target.settings(), 1);
  }

  /**
   * Merges small files of the lake of a log table into files of {@code
   * tiering.clustering.file-size} bytes.
   *
   * @return the requested time of the clustering, empty if there was nothing to merge
   * @throws io.lakestream.spark.error.LakestreamException {@code TIERING_CONFLICT} beside a live
   *     round or clustering of the table
   */
  public static Optional<String> cluster(SparkSession session, String catalog, String table) {
    TieringTarget target = TieringTarget.find(session, catalog, table);
    long fileSize = target.options().get(LakestreamOptions.CLUSTERING_FILE_SIZE);
    return target.round(session).cluster(target.path(), target.settings(), 1, fileSize);
  }

  /**
   * Deletes files of a lake that no read needs which is as of an instant that was the newest at
   * some moment within the option {@code tiering.retention}.
   *
   * @return the requested time of the cleaning, empty if there was nothing to clean
   * @throws io.lakestream.spark.error.LakestreamException {@code TIERING_CONFLICT} beside a live
   *     round of the table
   */
  public static Optional<String> clean(SparkSession session, String catalog, String table) {
    TieringTarget target = TieringTarget.find(session, catalog, table);
    return target.round(session).clean(target.path(), target.settings(), target.retention(), 1);
  }

  /** How far the tiering of a table is, bucket by bucket. */
  public static TableStatus status(SparkSession session, String catalog, String table) {
    TieringTarget target = TieringTarget.find(session, catalog, table);
    return new StatusReader(target.tiers().log(), Clock.systemUTC()).read(target.path());
  }

  /**
   * A service that tiers tables until it is stopped, each as often as its option {@code
   * tiering.freshness} says. Its figures are in Spark's metric system, under {@code
   * lakestream.tiering}.
   *
   * @param names tables, as {@code catalog.database.table}, and whole databases, as {@code
   *     catalog.database}, of which those tables are taken that have a lake; they are looked for
   *     again and again. Tables that their cluster keeps for Hudi with {@code
   *     table.datalake.enabled=true} are tiered when it gives them to this service, at its pace
   * @param parallelism how many tables are tiered at once
   * @return not started yet
   */
  public static TieringService service(SparkSession session, List<String> names, int parallelism) {
    TieringMetrics metrics = new TieringMetrics();
    SparkEnv.get().metricsSystem().registerSource(metrics);
    return new TieringService(
        new CatalogTables(session, names),
        new ServiceSettings(parallelism, DISCOVERY, LEASE_POLL, LEASE_RENEWAL),
        Clock.systemUTC(),
        new Random(),
        metrics);
  }
}
