package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.options.OptionLayer;
import io.lakestream.spark.options.OptionResolver;
import io.lakestream.spark.types.TablePath;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.analysis.NamespaceAlreadyExistsException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.NonEmptyNamespaceException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.NamespaceChange;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Spark catalog over one Fluss cluster: databases are namespaces, tables are read as lake and log
 * in one, and {@code `table$lake`} is the lake alone. Set {@code spark.sql.catalog.<name>} to this
 * class and {@code spark.sql.catalog.<name>.bootstrap.servers} to the cluster.
 */
public final class LakestreamCatalog implements TableCatalog, SupportsNamespaces {
  private static final Logger LOG = LoggerFactory.getLogger(LakestreamCatalog.class);

  private String name;
  private OptionLayer settings;
  private OptionResolver options;
  private Tiers tiers;

  @Override
  public void initialize(String name, CaseInsensitiveStringMap settings) {
    this.name = name;
    this.settings = OptionLayer.catalog(settings.asCaseSensitiveMap());
    this.options = new OptionResolver("catalog " + name, List.of(this.settings));
    this.tiers = TierConnector.connect(options);
  }

  @Override
  public String name() {
    return name;
  }

  /** The tiers of this catalog. */
  Tiers tiers() {
    return tiers;
  }

  /** The options that all tables of this catalog have in common. */
  List<OptionLayer> layers() {
    return List.of(settings);
  }

  /** Loads a table with more options than the catalog's. */
  LakestreamTable load(TablePath path, OptionLayer query) {
    ConnectionOptions.requireSame(path, options, query);
    return TableLoader.load(name + "." + path, tiers, path, List.of(settings, query));
  }

  @Override
  public Table loadTable(Identifier identifier) throws NoSuchTableException {
    return loadTable(identifier, List.of(settings));
  }

  private Table loadTable(Identifier identifier, List<OptionLayer> layers)
      throws NoSuchTableException {
    if (identifier.namespace().length != 1) {
      throw new NoSuchTableException(identifier);
    }
    TablePath path = path(identifier);
    try {
      return TableLoader.load(name + "." + path, tiers, path, layers);
    } catch (LakestreamException e) {
      if (e.code() == ErrorCode.TABLE_NOT_FOUND || e.code() == ErrorCode.NAMESPACE_NOT_FOUND) {
        throw new NoSuchTableException(identifier);
      }
      throw e;
    }
  }

  /** {@code VERSION AS OF}: the lake as of a Hudi instant. */
  @Override
  public Table loadTable(Identifier identifier, String version) throws NoSuchTableException {
    return loadTableAsOf(identifier, version);
  }

  /** {@code TIMESTAMP AS OF}: the lake as of a moment, in microseconds since the epoch. */
  @Override
  public Table loadTable(Identifier identifier, long timestamp) throws NoSuchTableException {
    return loadTableAsOf(identifier, Instant.EPOCH.plus(timestamp, ChronoUnit.MICROS).toString());
  }

  private Table loadTableAsOf(Identifier identifier, String point) throws NoSuchTableException {
    return loadTable(
        identifier,
        List.of(settings, OptionLayer.query(Map.of(LakestreamOptions.AS_OF_INSTANT.key(), point))));
  }

  @Override
  public Identifier[] listTables(String[] namespace) throws NoSuchNamespaceException {
    String database = database(namespace);
    return tiers.log().tables(database).stream()
        .map(table -> Identifier.of(namespace, table))
        .toArray(Identifier[]::new);
  }

  @Override
  public Table createTable(
      Identifier identifier,
      StructType schema,
      Transform[] partitions,
      Map<String, String> properties)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    database(identifier.namespace());
    TablePath path = path(identifier);
    if (TableLoader.isView(path.table())) {
      throw LakestreamException.of(
          ErrorCode.INVALID_TABLE_DEFINITION,
          path,
          "names that end in '$lake' mean the lake of another table.",
          "Choose another name.");
    }
    try {
      tiers
          .log()
          .createTable(
              path,
              TableDefinition.parse(
                  path,
                  schema,
                  partitions,
                  properties,
                  options.find(LakestreamOptions.HUDI_CATALOG_PATH)));
    } catch (LakestreamException e) {
      if (e.code() == ErrorCode.TABLE_ALREADY_EXISTS) {
        throw new TableAlreadyExistsException(identifier);
      }
      throw e;
    }
    LakestreamTable table = TableLoader.load(name + "." + path, tiers, path, List.of(settings));
    LogTable created = table.description();
    boolean hasLake = table.readContext(Map.of()).lakePath().isPresent();
    LogRetention.warning(created, hasLake, tiers.log().timeToLive(created)).ifPresent(LOG::warn);
    return table;
  }

  @Override
  public Table alterTable(Identifier identifier, TableChange... changes)
      throws NoSuchTableException {
    TablePath path = path(identifier);
    if (TableLoader.isView(path.table())) {
      throw LakestreamException.of(
          ErrorCode.UNSUPPORTED_OPERATION,
          path,
          "the lake alone cannot be altered.",
          "Alter the table; the lake follows with the next tiering round.");
    }
    LakestreamTable loaded = TableLoader.load(name + "." + path, tiers, path, List.of(settings));
    LogTable table = loaded.description();
    boolean hasLake = tiers.log().readableLakeSnapshot(table).isPresent();
    TableAlteration alteration = TableAlteration.parse(table, hasLake, changes);
    if (alteration.columns().isEmpty()) {
      tiers.log().alterProperties(table, alteration.set(), alteration.removed());
    } else {
      if (loaded.readContext(Map.of()).lakePath().isPresent()) {
        LakeNames.require(path, alteration.columns());
      }
      tiers.log().addColumns(table, alteration.columns());
    }
    return loadTable(identifier);
  }

  @Override
  public boolean dropTable(Identifier identifier) {
    return identifier.namespace().length == 1
        && !TableLoader.isView(identifier.name())
        && tiers.log().dropTable(path(identifier));
  }

  @Override
  public void renameTable(Identifier from, Identifier to) {
    throw LakestreamException.of(
        ErrorCode.UNSUPPORTED_OPERATION,
        path(from),
        "Fluss cannot rename tables.",
        "Create '" + to.name() + "' and copy the rows.");
  }

  @Override
  public String[] defaultNamespace() {
    return new String[] {"fluss"};
  }

  @Override
  public String[][] listNamespaces() {
    return tiers.log().databases().stream()
        .map(database -> new String[] {database})
        .toArray(String[][]::new);
  }

  @Override
  public String[][] listNamespaces(String[] namespace) throws NoSuchNamespaceException {
    if (namespace.length == 0) {
      return listNamespaces();
    }
    database(namespace);
    return new String[0][];
  }

  @Override
  public boolean namespaceExists(String[] namespace) {
    return namespace.length == 1 && tiers.log().databaseExists(namespace[0]);
  }

  @Override
  public Map<String, String> loadNamespaceMetadata(String[] namespace)
      throws NoSuchNamespaceException {
    database(namespace);
    return Map.of();
  }

  @Override
  public void createNamespace(String[] namespace, Map<String, String> metadata)
      throws NamespaceAlreadyExistsException {
    if (namespace.length != 1) {
      throw LakestreamException.of(
          ErrorCode.INVALID_TABLE_DEFINITION,
          String.join(".", namespace),
          "Fluss has one level of databases.",
          "Give one name.");
    }
    if (namespaceExists(namespace)) {
      throw new NamespaceAlreadyExistsException(namespace);
    }
    Map<String, String> properties = new HashMap<>(metadata);
    String comment = properties.remove(SupportsNamespaces.PROP_COMMENT);
    properties.remove(SupportsNamespaces.PROP_OWNER);
    tiers.log().createDatabase(namespace[0], comment, properties);
  }

  @Override
  public void alterNamespace(String[] namespace, NamespaceChange... changes) {
    throw LakestreamException.of(
        ErrorCode.UNSUPPORTED_OPERATION,
        String.join(".", namespace),
        "ALTER NAMESPACE is not offered.",
        "Change the database with the Fluss client.");
  }

  @Override
  public boolean dropNamespace(String[] namespace, boolean cascade)
      throws NoSuchNamespaceException, NonEmptyNamespaceException {
    try {
      tiers.log().dropDatabase(database(namespace), cascade);
    } catch (LakestreamException e) {
      if (e.code() == ErrorCode.NAMESPACE_NOT_EMPTY) {
        throw new NonEmptyNamespaceException(namespace);
      }
      throw e;
    }
    return true;
  }

  private String database(String[] namespace) throws NoSuchNamespaceException {
    if (!namespaceExists(namespace)) {
      throw new NoSuchNamespaceException(namespace);
    }
    return namespace[0];
  }

  private static TablePath path(Identifier identifier) {
    return new TablePath(String.join(".", identifier.namespace()), identifier.name());
  }
}
