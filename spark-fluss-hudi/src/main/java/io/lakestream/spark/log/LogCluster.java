package io.lakestream.spark.log;

import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Driver-side access to one Fluss cluster. Thread-safe. Every method answers or fails within the
 * request time-out with a {@link io.lakestream.spark.error.LakestreamException}: {@code
 * CLUSTER_UNREACHABLE} if nobody answers, {@code TABLE_NOT_FOUND} for a table that is not there,
 * {@code REQUEST_FAILED} for whatever else the cluster says.
 */
public interface LogCluster {

  /** The bootstrap address; equal for equal clusters, safe to show. */
  String address();

  List<String> databases();

  boolean databaseExists(String database);

  void createDatabase(String database, String comment, Map<String, String> properties);

  /** Drops a database; fails with {@code NAMESPACE_NOT_EMPTY} if it has tables and no cascade. */
  void dropDatabase(String database, boolean cascade);

  List<String> tables(String database);

  boolean tableExists(TablePath path);

  LogTable table(TablePath path);

  void createTable(TablePath path, NewTable table);

  /**
   * Adds columns, which may be null, after the last one: all of them or, with {@code
   * INVALID_TABLE_DEFINITION}, none.
   */
  void addColumns(LogTable table, List<TableColumn> columns);

  /**
   * Sets and removes properties, Fluss's own and others; {@code INVALID_TABLE_DEFINITION} for one
   * of Fluss's own that it does not change.
   */
  void alterProperties(LogTable table, Map<String, String> set, Set<String> removed);

  /** Drops a table; false if there was none. */
  boolean dropTable(TablePath path);

  /** The partitions that exist now; empty for an unpartitioned table. */
  List<LogPartition> partitions(LogTable table);

  /** Creates a partition from the spelling of its values; no error if it exists. */
  void createPartition(LogTable table, List<String> values);

  /** Drops a partition; no error if it does not exist. */
  void dropPartition(LogTable table, List<String> values);

  /** The lake snapshot that readers shall use, empty if nothing was ever tiered. */
  Optional<LakeSnapshot> readableLakeSnapshot(LogTable table);

  /** How long the log keeps a table's records, empty if for ever ({@code table.log.ttl}). */
  Optional<Duration> timeToLive(LogTable table);

  /** The first offset that each bucket's log still has. Partitions that are gone are left out. */
  Map<LogBucket, Long> earliestOffsets(LogTable table, Collection<LogBucket> buckets);

  /** The exclusive end of each bucket's log. Partitions that are gone are left out. */
  Map<LogBucket, Long> latestOffsets(LogTable table, Collection<LogBucket> buckets);

  /**
   * The newest key snapshot of each bucket of a primary-key table; buckets that have none are left
   * out. The snapshots stay readable for some hours.
   */
  Map<LogBucket, KeySnapshot> keySnapshots(LogTable table, Collection<LogBucket> buckets);

  /**
   * Keeps key snapshots readable for some hours more.
   *
   * @param ids the id of the snapshot wanted of each bucket
   * @return the buckets whose snapshot is still there
   */
  Set<LogBucket> holdKeySnapshots(LogTable table, Map<LogBucket, Long> ids);

  /**
   * What tasks use to read ranges of the table's log. Fails with {@code FILE_SYSTEM_MISSING} if the
   * cluster keeps older segments on a file system that this JVM has no plug-in for.
   */
  LogReaderFactory readerFactory(LogTable table);

  /** What tasks use to append or upsert rows. */
  LogWriterFactory writerFactory(LogTable table);

  /** The calls by which a tiering round reports to the cluster. */
  LakeSnapshotReporter snapshotReporter(LogTable table);

  /** The tables that this cluster gives to tiering services itself. */
  TieringLeases tieringLeases();
}
