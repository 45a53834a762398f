package io.lakestream.spark.it.harness;

import io.lakestream.spark.catalog.LakestreamTiering;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.AppendWriter;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.exception.FlussRuntimeException;
import org.apache.fluss.metadata.PartitionSpec;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableChange;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.types.DataField;
import org.apache.fluss.types.DataTypes;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** A table of a test, and what a test does to it. Writes go by the Fluss client, not by Spark. */
public final class TestTable {
  private static final int CREATE_ATTEMPTS = 3;
  private static final Duration SERVED_WITHIN = Duration.ofSeconds(5);

  private final Environment environment;
  private final TablePath path;

  private TestTable(Environment environment, TablePath path) {
    this.environment = environment;
    this.path = path;
  }

  /** A handle of a table that exists already. */
  public static TestTable existing(Environment environment, String database, String name) {
    return new TestTable(environment, TablePath.of(database, name));
  }

  /** Creates a table: by SQL if Spark can spell its types, else by the Fluss client. */
  static TestTable create(Environment environment, String database, String name, TableSpec spec) {
    TestTable table = existing(environment, database, name);
    table.create(spec, table.ddl(spec));
    return table;
  }

  /** Creates a table by the Fluss client, which takes names that the catalog refuses. */
  static TestTable createByClient(
      Environment environment, String database, String name, TableSpec spec) {
    TestTable table = existing(environment, database, name);
    table.create(spec, Optional.empty());
    return table;
  }

  private void create(TableSpec spec, Optional<String> ddl) {
    if (spec.partitionColumns().isEmpty()) {
      createOnce(spec, ddl);
    } else {
      createUntilNoticed(spec, ddl);
    }
  }

  private void createOnce(TableSpec spec, Optional<String> ddl) {
    if (ddl.isPresent()) {
      environment.sql(ddl.get());
    } else if (spec.partitionColumns().isEmpty()) {
      createUntilServed(environment, path, spec);
    } else {
      Environment.await(environment.admin().createTable(path, descriptor(spec), false));
    }
  }

  /**
   * Nothing but its log tells whether the 0.9 coordinator has overlooked a partitioned table, and
   * the first partition of one that it has overlooked would end its work for all tables.
   */
  private void createUntilNoticed(TableSpec spec, Optional<String> ddl) {
    for (int attempt = 0; attempt < CREATE_ATTEMPTS; attempt++) {
      createOnce(spec, ddl);
      long id = info().getTableId();
      long end = System.nanoTime() + SERVED_WITHIN.toNanos();
      while (System.nanoTime() < end) {
        if (environment.hasNoticed(path(), id)) {
          return;
        }
      }
      Environment.await(environment.admin().dropTable(path, false));
    }
    throw new IllegalStateException(
        path + " was not noticed by the coordinator in " + CREATE_ATTEMPTS + " attempts");
  }

  /** A table that the 0.9 coordinator has overlooked gets no leaders; it is created once more. */
  private static void createUntilServed(Environment environment, TablePath path, TableSpec spec) {
    for (int attempt = 0; attempt < CREATE_ATTEMPTS; attempt++) {
      Environment.await(environment.admin().createTable(path, descriptor(spec), false));
      if (isServed(environment, path, spec.buckets())) {
        return;
      }
      Environment.await(environment.admin().dropTable(path, false));
    }
    throw new IllegalStateException(path + " got no leaders in " + CREATE_ATTEMPTS + " attempts");
  }

  private static boolean isServed(Environment environment, TablePath path, int buckets) {
    List<Integer> all = IntStream.range(0, buckets).boxed().toList();
    long end = System.nanoTime() + SERVED_WITHIN.toNanos();
    while (System.nanoTime() < end) {
      try {
        environment.admin().listOffsets(path, all, new OffsetSpec.LatestSpec()).all().get();
        return true;
      } catch (ExecutionException | FlussRuntimeException e) {
        // The client itself pauses between its tries to find a leader.
        Thread.onSpinWait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
    return false;
  }

  private Optional<String> ddl(TableSpec spec) {
    List<String> columns = new ArrayList<>();
    for (DataField field : spec.rowType().getFields()) {
      Optional<String> type = ExpectedTypes.ddl(field.getType());
      if (type.isEmpty()) {
        return Optional.empty();
      }
      String nullability = field.getType().isNullable() ? "" : " NOT NULL";
      columns.add("`" + field.getName() + "` " + type.get() + nullability);
    }
    Map<String, String> properties = new TreeMap<>(spec.properties());
    properties.put("bucket.num", Integer.toString(spec.buckets()));
    if (!spec.primaryKey().isEmpty()) {
      properties.put("primary.key", String.join(",", spec.primaryKey()));
    }
    if (!spec.bucketColumns().isEmpty()) {
      properties.put("bucket.key", String.join(",", spec.bucketColumns()));
    }
    String partitions =
        spec.partitionColumns().isEmpty()
            ? ""
            : " PARTITIONED BY (`" + String.join("`, `", spec.partitionColumns()) + "`)";
    String assignments =
        properties.entrySet().stream()
            .map(entry -> "'" + entry.getKey() + "'='" + entry.getValue() + "'")
            .collect(Collectors.joining(", "));
    return Optional.of(
        "CREATE TABLE %s (%s)%s TBLPROPERTIES (%s)"
            .formatted(sqlName(), String.join(", ", columns), partitions, assignments));
  }

  private static TableDescriptor descriptor(TableSpec spec) {
    Schema.Builder schema = Schema.newBuilder().fromRowType(spec.rowType());
    if (!spec.primaryKey().isEmpty()) {
      schema.primaryKey(spec.primaryKey());
    }
    TableDescriptor.Builder descriptor =
        TableDescriptor.builder()
            .schema(schema.build())
            .partitionedBy(spec.partitionColumns())
            .distributedBy(spec.buckets(), spec.bucketColumns());
    spec.properties()
        .forEach(
            (key, value) -> {
              if (key.startsWith("table.")) {
                descriptor.property(key, value);
              } else {
                descriptor.customProperty(key, value);
              }
            });
    return descriptor.build();
  }

  /** {@code db.table}. */
  public String path() {
    return path.toString();
  }

  public TablePath flussPath() {
    return path;
  }

  public String sqlName() {
    return Environment.CATALOG + "." + path;
  }

  public String lakeOnlyName() {
    return "%s.%s.`%s$lake`"
        .formatted(Environment.CATALOG, path.getDatabaseName(), path.getTableName());
  }

  /** The directory of the Hudi table, which may not exist. */
  public Path lakeDirectory() {
    return environment.lake().resolve(path.getDatabaseName()).resolve(path.getTableName());
  }

  /** The table by {@code format("lakestream")}. */
  public Dataset<Row> load() {
    return environment.format().load(path());
  }

  /**
   * What stands for this table in the text of a query; for the format, a view that is made here.
   */
  public String relation(EntryPoint entryPoint) {
    return entryPoint.relation(this);
  }

  /** The answer of {@code query}, in which {@code {t}} stands for this table. */
  public Answer query(EntryPoint entryPoint, String query) {
    return Answer.of(dataset(entryPoint, query));
  }

  /** {@code query}, in which {@code {t}} stands for this table, not yet run. */
  public Dataset<Row> dataset(EntryPoint entryPoint, String query) {
    return environment.sql(query.replace("{t}", entryPoint.relation(this)));
  }

  /** Makes the changes, one after the other, and returns when the cluster has them. */
  public void apply(Change... changes) {
    apply(List.of(changes));
  }

  public void apply(List<Change> changes) {
    List<Change> ofOneSchema = new ArrayList<>();
    for (Change change : changes) {
      if (change.kind() == Change.Kind.ADD_COLUMN) {
        write(ofOneSchema);
        ofOneSchema.clear();
        change.rows().forEach(column -> addColumnBySql(column.getString(0), column.getString(1)));
      } else {
        ofOneSchema.add(change);
      }
    }
    write(ofOneSchema);
  }

  private void addColumnBySql(String name, String type) {
    String ddl = ExpectedTypes.ddl(DataTypes.parse(type)).orElseThrow();
    environment.sql("ALTER TABLE %s ADD COLUMN `%s` %s".formatted(sqlName(), name, ddl));
  }

  private void write(List<Change> changes) {
    try (Table table = environment.connection().getTable(path)) {
      for (Change change : changes) {
        write(table, change);
      }
    } catch (Exception e) {
      throw new IllegalStateException("cannot write to " + path, e);
    }
  }

  private static void write(Table table, Change change) {
    TableInfo info = table.getTableInfo();
    List<CompletableFuture<?>> writes = new ArrayList<>();
    if (info.hasPrimaryKey()) {
      UpsertWriter writer = table.newUpsert().createWriter();
      for (Row row : change.rows()) {
        var value = FlussValues.row(info.getRowType(), row);
        boolean put = change.kind() == Change.Kind.PUT;
        writes.add(put ? writer.upsert(value) : writer.delete(value));
      }
    } else {
      AppendWriter writer = table.newAppend().createWriter();
      for (Row row : change.rows()) {
        if (change.kind() != Change.Kind.PUT) {
          throw new IllegalArgumentException("a log table has no deletes");
        }
        writes.add(writer.append(FlussValues.row(info.getRowType(), row)));
      }
    }
    writes.forEach(Environment::await);
  }

  /** Runs one tiering round, and returns its instant if there was something to tier. */
  public Optional<String> tier() {
    return LakestreamTiering.tierOnce(environment.spark(), Environment.CATALOG, path()).instant();
  }

  /** Runs one tiering round that has something to tier, and returns its instant. */
  public String tierOnce() {
    return tier().orElseThrow();
  }

  /** Compacts the lake of a primary-key table. */
  public void compact() {
    LakestreamTiering.compact(environment.spark(), Environment.CATALOG, path());
  }

  public TableInfo info() {
    return Environment.await(environment.admin().getTableInfo(path));
  }

  public void addColumn(String name, String type) {
    Environment.await(
        environment
            .admin()
            .alterTable(
                path,
                List.of(
                    TableChange.addColumn(
                        name, DataTypes.parse(type), null, TableChange.ColumnPosition.last())),
                false));
  }

  public void dropPartition(Map<String, String> values) {
    Environment.await(environment.admin().dropPartition(path, new PartitionSpec(values), false));
    environment.renewConnection();
  }

  /** The partitions that the log has, as Fluss spells their values. */
  public List<Map<String, String>> partitions() {
    if (info().getPartitionKeys().isEmpty()) {
      return List.of();
    }
    return Environment.await(environment.admin().listPartitionInfos(path)).stream()
        .map(partition -> partition.getPartitionSpec().getSpecMap())
        .toList();
  }

  /** The exclusive end of each bucket's log; the table must be unpartitioned. */
  public Map<Integer, Long> logEnd() {
    List<Integer> buckets = IntStream.range(0, info().getNumBuckets()).boxed().toList();
    return new TreeMap<>(
        Environment.await(
            environment.admin().listOffsets(path, buckets, new OffsetSpec.LatestSpec()).all()));
  }

  /** What the cluster was told to be in the lake, per bucket; the table must be unpartitioned. */
  public Map<Integer, Long> tieredEnd() {
    Map<Integer, Long> result = new TreeMap<>();
    Environment.await(environment.admin().getReadableLakeSnapshot(path))
        .getTableBucketsOffset()
        .forEach((bucket, offset) -> result.put(bucket.getBucket(), offset));
    return result;
  }

  /** The files of the Hudi timeline: any new instant, finished or not, changes them. */
  public Set<String> timelineFiles() {
    Path timeline = lakeDirectory().resolve(".hoodie").resolve("timeline");
    try (Stream<Path> files = Files.list(timeline)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".crc"))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
