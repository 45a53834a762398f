package io.lakestream.spark.catalog;

import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.options.Option;
import io.lakestream.spark.options.OptionResolver;
import io.lakestream.spark.tiering.RoundResult;
import io.lakestream.spark.tiering.StatusReader;
import io.lakestream.spark.tiering.TableOwner;
import io.lakestream.spark.tiering.TableStatus;
import io.lakestream.spark.tiering.TieringProperties;
import io.lakestream.spark.tiering.TieringRound;
import io.lakestream.spark.tiering.service.LeasedTable;
import io.lakestream.spark.tiering.service.Pace;
import io.lakestream.spark.tiering.service.TableListing;
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
 * those tables are taken that have a lake. Tables that their cluster keeps for Hudi and whose
 * rounds it schedules itself ({@code table.datalake.enabled}) are leased from it. Thread-safe.
 */
final class CatalogTables implements TieredTables {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogTables.class);
  private static final Duration FIRST_RETRY = Duration.ofSeconds(5);
  private static final Duration LAST_RETRY = Duration.ofMinutes(5);

  private final SparkSession session;
  private final List<TableName> names;
  private final LeasedCatalogTables leased = new LeasedCatalogTables();

  /**
   * @param names {@code catalog.database.table} or {@code catalog.database}
   */
  CatalogTables(SparkSession session, List<String> names) {
    this.session = session;
    this.names = names.stream().map(TableName::parse).toList();
  }

  @Override
  public TableListing list() {
    SparkSession.setActiveSession(session);
    Listing listing = new Listing();
    for (TableName name : names) {
      if (name.isDatabase()) {
        addDatabase(name, listing);
      } else {
        addNamed(name, listing);
      }
    }
    leased.update(listing.sources);
    return new TableListing(listing.scheduled, listing.leased);
  }

  /**
   * The tables of a job that visits each once: those of databases that their cluster schedules are
   * left to it, unless they are only to be looked at.
   */
  List<String> atOnce(boolean onlyLook) {
    TableListing listing = list();
    List<String> tables = new ArrayList<>(listing.scheduled().keySet());
    listing.leased().keySet().stream()
        .filter(table -> onlyLook || names.contains(TableName.parse(table)))
        .forEach(tables::add);
    return tables;
  }

  private static final class Listing {
    private final Map<String, Pace> scheduled = new LinkedHashMap<>();
    private final Map<String, Pace> leased = new LinkedHashMap<>();
    private final LeasedCatalogTables.Collector sources = new LeasedCatalogTables.Collector();
  }

  private void addDatabase(TableName database, Listing listing) {
    LakestreamCatalog catalog = TieringTarget.catalog(session, database.catalog());
    for (String name : catalog.tiers().log().tables(database.database())) {
      TableName table = database.table(name);
      try {
        LakestreamTable loaded = load(catalog, table);
        LogTable description = loaded.description();
        boolean foreign =
            TieringProperties.isScheduledByCluster(description)
                && !TieringProperties.isForHudi(description);
        if (!foreign && loaded.readContext(Map.of()).lakePath().isPresent()) {
          add(table, catalog, loaded, listing);
        }
      } catch (LakestreamException failure) {
        LOG.warn("{} is left out: {}", table.inCatalog(), failure.getMessage());
      }
    }
  }

  /** A table that cannot be loaded is listed all the same: its round will say what is wrong. */
  private void addNamed(TableName name, Listing listing) {
    LakestreamCatalog catalog = TieringTarget.catalog(session, name.catalog());
    try {
      add(name, catalog, load(catalog, name), listing);
    } catch (LakestreamException failure) {
      listing.scheduled.put(name.toString(), pace(new OptionResolver(name, List.of())));
    }
  }

  private static LakestreamTable load(LakestreamCatalog catalog, TableName name) {
    TablePath path = new TablePath(name.database(), name.table());
    return TableLoader.load(path.toString(), catalog.tiers(), path, catalog.layers());
  }

  private static void add(
      TableName name, LakestreamCatalog catalog, LakestreamTable loaded, Listing listing) {
    LogTable table = loaded.description();
    if (TieringProperties.isScheduledByCluster(table) && TieringProperties.isForHudi(table)) {
      listing.leased.put(name.toString(), new Pace(Duration.ZERO, FIRST_RETRY, LAST_RETRY));
      LogCluster cluster = catalog.tiers().log();
      listing.sources.add(
          cluster.address(), cluster.tieringLeases(), table.path(), name.toString());
    } else {
      listing.scheduled.put(name.toString(), pace(loaded.readContext(Map.of()).options()));
    }
  }

  private static Pace pace(OptionResolver options) {
    return new Pace(options.get(LakestreamOptions.FRESHNESS), FIRST_RETRY, LAST_RETRY);
  }

  @Override
  public Optional<LeasedTable> lease() {
    return leased.request();
  }

  @Override
  public RoundResult tier(String table, TableOwner owner) {
    TieringTarget target = target(table);
    return target.round(session, owner).run(target.path(), target.settings());
  }

  @Override
  public Optional<String> maintain(String table, TableOwner owner) {
    TieringTarget target = target(table);
    TieringRound round = target.round(session, owner);
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
