package io.lakestream.spark.catalog;

import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.options.Option;
import io.lakestream.spark.options.OptionResolver;
import io.lakestream.spark.tiering.RoundResult;
import io.lakestream.spark.tiering.StatusReader;
import io.lakestream.spark.tiering.TableStatus;
import io.lakestream.spark.tiering.TieringRound;
import io.lakestream.spark.tiering.service.Pace;
import io.lakestream.spark.tiering.service.TieredTables;
import io.lakestream.spark.types.TablePath;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tables of configured catalogs for a tiering service: single ones, and whole databases, of which
 * those tables are taken that have a lake and that Fluss's own service does not tier. Thread-safe.
 */
final class CatalogTables implements TieredTables {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogTables.class);
  private static final Duration FIRST_RETRY = Duration.ofSeconds(5);
  private static final Duration LAST_RETRY = Duration.ofMinutes(5);

  private final SparkSession session;
  private final List<TableName> names;

  /**
   * @param names {@code catalog.database.table} or {@code catalog.database}
   */
  CatalogTables(SparkSession session, List<String> names) {
    this.session = session;
    this.names = names.stream().map(TableName::parse).toList();
  }

  @Override
  public Map<String, Pace> list() {
    SparkSession.setActiveSession(session);
    Map<String, Pace> tables = new LinkedHashMap<>();
    for (TableName name : names) {
      if (name.isDatabase()) {
        addDatabase(name, tables);
      } else {
        add(name, tables);
      }
    }
    return tables;
  }

  private void addDatabase(TableName database, Map<String, Pace> tables) {
    LakestreamCatalog catalog = TieringTarget.catalog(session, database.catalog());
    LogCluster cluster = catalog.tiers().log();
    for (String table : cluster.tables(database.database())) {
      if (isOurs(catalog, new TablePath(database.database(), table))) {
        add(database.table(table), tables);
      }
    }
  }

  private static boolean isOurs(LakestreamCatalog catalog, TablePath path) {
    try {
      LakestreamTable table =
          TableLoader.load(path.toString(), catalog.tiers(), path, catalog.layers());
      return table.readContext(Map.of()).lakePath().isPresent()
          && !TieringRound.isTieredByFluss(table.description());
    } catch (LakestreamException failure) {
      LOG.warn("{} is left out: {}", path, failure.getMessage());
      return false;
    }
  }

  private void add(TableName name, Map<String, Pace> tables) {
    tables.put(name.toString(), new Pace(freshness(name), FIRST_RETRY, LAST_RETRY));
  }

  /** A table that cannot be loaded is listed all the same: its round will say what is wrong. */
  private Duration freshness(TableName name) {
    OptionResolver options;
    try {
      options = TieringTarget.find(session, name.catalog(), name.inCatalog()).options();
    } catch (LakestreamException failure) {
      options = new OptionResolver(name, List.of());
    }
    return options.get(LakestreamOptions.FRESHNESS);
  }

  @Override
  public RoundResult tier(String table) {
    TieringTarget target = target(table);
    return target.round(session).run(target.path(), target.settings());
  }

  @Override
  public Optional<String> maintain(String table) {
    TieringTarget target = target(table);
    TieringRound round = target.round(session);
    List<String> done = new ArrayList<>();
    int compaction = rounds(target, LakestreamOptions.COMPACTION_ROUNDS);
    if (compaction > 0) {
      round
          .compact(target.path(), target.settings(), compaction)
          .ifPresent(instant -> done.add("compacted at " + instant));
    }
    int clustering = rounds(target, LakestreamOptions.CLUSTERING_ROUNDS);
    if (clustering > 0) {
      long fileSize = target.options().get(LakestreamOptions.CLUSTERING_FILE_SIZE);
      round
          .cluster(target.path(), target.settings(), clustering, fileSize)
          .ifPresent(instant -> done.add("clustered at " + instant));
    }
    int cleaning = rounds(target, LakestreamOptions.CLEANING_ROUNDS);
    if (cleaning > 0) {
      round
          .clean(target.path(), target.settings(), target.retention(), cleaning)
          .ifPresent(instant -> done.add("cleaned at " + instant));
    }
    return done.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", done));
  }

  private static int rounds(TieringTarget target, Option<Long> option) {
    return Math.toIntExact(target.options().get(option));
  }

  @Override
  public TableStatus status(String table) {
    TieringTarget target = target(table);
    return new StatusReader(target.tiers().log(), Clock.systemUTC()).read(target.path());
  }

  private TieringTarget target(String table) {
    SparkSession.setActiveSession(session);
    TableName name = TableName.parse(table);
    return TieringTarget.find(session, name.catalog(), name.inCatalog());
  }
}
