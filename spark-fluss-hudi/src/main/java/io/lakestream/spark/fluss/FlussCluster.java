package io.lakestream.spark.fluss;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.KeySnapshot;
import io.lakestream.spark.log.LakeSnapshot;
import io.lakestream.spark.log.LakeSnapshotReporter;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.log.LogReaderFactory;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.log.LogWriterFactory;
import io.lakestream.spark.log.NewTable;
import io.lakestream.spark.log.TieringLeases;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.config.TableConfig;
import org.apache.fluss.exception.LakeTableSnapshotNotExistException;
import org.apache.fluss.exception.TableNotExistException;
import org.apache.fluss.metadata.DatabaseDescriptor;
import org.apache.fluss.metadata.PartitionSpec;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TableChange;
import org.apache.fluss.metadata.TableDescriptor;

/** A Fluss cluster by its client. Holds values only; the connection is the JVM's. */
final class FlussCluster implements LogCluster {
  private final ClientConfig config;
  private final ReadSettings settings;
  private final Requests requests;

  FlussCluster(ClientConfig config, ReadSettings settings) {
    this.config = config;
    this.settings = settings;
    this.requests = new Requests(config);
  }

  @Override
  public String address() {
    return config.address();
  }

  @Override
  public List<String> databases() {
    return requests.reading(
        address(), "list databases", connection -> connection.getAdmin().listDatabases());
  }

  @Override
  public boolean databaseExists(String database) {
    return requests.reading(
        database, "look up the database", c -> c.getAdmin().databaseExists(database));
  }

  @Override
  public void createDatabase(String database, String comment, Map<String, String> properties) {
    DatabaseDescriptor.Builder descriptor =
        DatabaseDescriptor.builder().customProperties(properties);
    if (comment != null) {
      descriptor.comment(comment);
    }
    requests.async(
        database,
        "create the database",
        c -> c.getAdmin().createDatabase(database, descriptor.build(), false));
  }

  @Override
  public void dropDatabase(String database, boolean cascade) {
    requests.async(
        database, "drop the database", c -> c.getAdmin().dropDatabase(database, false, cascade));
  }

  @Override
  public List<String> tables(String database) {
    return requests.reading(database, "list tables", c -> c.getAdmin().listTables(database));
  }

  @Override
  public boolean tableExists(TablePath path) {
    return requests.reading(
        path, "look up the table", c -> c.getAdmin().tableExists(FlussTables.path(path)));
  }

  @Override
  public LogTable table(TablePath path) {
    return FlussTables.logTable(
        path,
        requests.reading(
            path, "describe the table", c -> c.getAdmin().getTableInfo(FlussTables.path(path))));
  }

  @Override
  public void createTable(TablePath path, NewTable table) {
    TableDescriptor descriptor;
    try {
      descriptor = FlussTables.descriptor(table);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw LakestreamException.of(
          ErrorCode.INVALID_TABLE_DEFINITION,
          path,
          "Fluss refuses the definition: " + e.getMessage(),
          "Correct what the message names.",
          e);
    }
    new TableCreation(requests, path, descriptor).run();
  }

  @Override
  public void addColumns(LogTable table, List<TableColumn> columns) {
    alter(
        table,
        "add columns",
        columns.stream()
            .map(
                column ->
                    (TableChange)
                        TableChange.addColumn(
                            column.name(),
                            FlussTypes.toFluss(column.type()),
                            column.comment(),
                            TableChange.ColumnPosition.last()))
            .toList());
  }

  @Override
  public void alterProperties(LogTable table, Map<String, String> set, Set<String> removed) {
    List<TableChange> changes = new ArrayList<>();
    set.forEach((key, value) -> changes.add(TableChange.set(key, value)));
    removed.forEach(key -> changes.add(TableChange.reset(key)));
    alter(table, "change properties", changes);
  }

  private void alter(LogTable table, String action, List<TableChange> changes) {
    requests.async(
        table.path(),
        action,
        c -> c.getAdmin().alterTable(FlussTables.path(table.path()), changes, false));
  }

  @Override
  public boolean dropTable(TablePath path) {
    return requests.blocking(
        path,
        "drop the table",
        connection -> {
          try {
            connection.getAdmin().dropTable(FlussTables.path(path), false).get();
            return true;
          } catch (ExecutionException e) {
            if (FlussErrors.unwrap(e) instanceof TableNotExistException) {
              return false;
            }
            throw e;
          }
        });
  }

  @Override
  public List<LogPartition> partitions(LogTable table) {
    if (!table.isPartitioned()) {
      return List.of();
    }
    return requests
        .reading(
            table.path(),
            "list partitions",
            c -> c.getAdmin().listPartitionInfos(FlussTables.path(table.path())))
        .stream()
        .map(info -> FlussTables.logPartition(table, info))
        .toList();
  }

  @Override
  public void createPartition(LogTable table, List<String> values) {
    PartitionSpec spec = FlussTables.partitionSpec(table, values);
    requests.async(
        table.path(),
        "create the partition " + values,
        c -> c.getAdmin().createPartition(FlussTables.path(table.path()), spec, true));
  }

  @Override
  public void dropPartition(LogTable table, List<String> values) {
    PartitionSpec spec = FlussTables.partitionSpec(table, values);
    requests.async(
        table.path(),
        "drop the partition " + values,
        c -> c.getAdmin().dropPartition(FlussTables.path(table.path()), spec, true));
  }

  @Override
  public Optional<LakeSnapshot> readableLakeSnapshot(LogTable table) {
    Optional<org.apache.fluss.client.metadata.LakeSnapshot> found =
        requests.repeating(
            table.path(),
            "look up the lake snapshot",
            connection -> {
              try {
                return Optional.of(
                    connection
                        .getAdmin()
                        .getReadableLakeSnapshot(FlussTables.path(table.path()))
                        .get());
              } catch (ExecutionException e) {
                if (FlussErrors.unwrap(e) instanceof LakeTableSnapshotNotExistException) {
                  return Optional.empty();
                }
                throw e;
              }
            });
    return found.map(snapshot -> lakeSnapshot(table, snapshot));
  }

  private static LakeSnapshot lakeSnapshot(
      LogTable table, org.apache.fluss.client.metadata.LakeSnapshot snapshot) {
    Map<LogBucket, Long> offsets = new HashMap<>();
    for (Map.Entry<TableBucket, Long> entry : snapshot.getTableBucketsOffset().entrySet()) {
      FlussTables.requireSame(table, entry.getKey().getTableId());
      offsets.put(FlussTables.bucket(entry.getKey()), entry.getValue());
    }
    return new LakeSnapshot(snapshot.getSnapshotId(), offsets);
  }

  @Override
  public Optional<Duration> timeToLive(LogTable table) {
    long millis = new TableConfig(Configuration.fromMap(table.properties())).getLogTTLMs();
    return millis > 0 ? Optional.of(Duration.ofMillis(millis)) : Optional.empty();
  }

  @Override
  public Map<LogBucket, Long> earliestOffsets(LogTable table, Collection<LogBucket> buckets) {
    return new BucketOffsets(requests, table).list(buckets, new OffsetSpec.EarliestSpec());
  }

  @Override
  public Map<LogBucket, Long> latestOffsets(LogTable table, Collection<LogBucket> buckets) {
    return new BucketOffsets(requests, table).list(buckets, new OffsetSpec.LatestSpec());
  }

  @Override
  public Map<LogBucket, KeySnapshot> keySnapshots(LogTable table, Collection<LogBucket> buckets) {
    return new KeySnapshots(address(), requests, table).latest(buckets);
  }

  @Override
  public Set<LogBucket> holdKeySnapshots(LogTable table, Map<LogBucket, Long> ids) {
    return new KeySnapshots(address(), requests, table).hold(ids);
  }

  @Override
  public LogReaderFactory readerFactory(LogTable table) {
    RemoteFileSystem.require(requests, table);
    return new FlussLogReaderFactory(config, settings, table);
  }

  @Override
  public LogWriterFactory writerFactory(LogTable table) {
    return new FlussLogWriterFactory(config, settings, table);
  }

  @Override
  public LakeSnapshotReporter snapshotReporter(LogTable table) {
    return new FlussLakeSnapshotReporter(requests, table);
  }

  @Override
  public TieringLeases tieringLeases() {
    return new FlussTieringLeases(address(), requests);
  }
}
