package io.lakestream.spark.testing;

import io.lakestream.spark.log.KeySnapshot;
import io.lakestream.spark.log.LakeSnapshotReporter;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogReaderFactory;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.log.LogWriterFactory;
import io.lakestream.spark.log.NewTable;
import io.lakestream.spark.log.TieringLeases;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A cluster that fails at all that readers and rounds have no business with; fakes add the rest.
 */
public abstract class FailingLogCluster implements LogCluster {
  @Override
  public Optional<Duration> timeToLive(LogTable table) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<String> databases() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean databaseExists(String database) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void createDatabase(String database, String comment, Map<String, String> properties) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void dropDatabase(String database, boolean cascade) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<String> tables(String database) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean tableExists(TablePath path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void createTable(TablePath path, NewTable table) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void addColumns(LogTable table, List<TableColumn> columns) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void alterProperties(LogTable table, Map<String, String> set, Set<String> removed) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean dropTable(TablePath path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void createPartition(LogTable table, List<String> values) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void dropPartition(LogTable table, List<String> values) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Map<LogBucket, KeySnapshot> keySnapshots(LogTable table, Collection<LogBucket> buckets) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Set<LogBucket> holdKeySnapshots(LogTable table, Map<LogBucket, Long> ids) {
    throw new UnsupportedOperationException();
  }

  @Override
  public LogReaderFactory readerFactory(LogTable table) {
    throw new UnsupportedOperationException();
  }

  @Override
  public LogWriterFactory writerFactory(LogTable table) {
    throw new UnsupportedOperationException();
  }

  @Override
  public LakeSnapshotReporter snapshotReporter(LogTable table) {
    throw new UnsupportedOperationException();
  }

  @Override
  public TieringLeases tieringLeases() {
    throw new UnsupportedOperationException();
  }
}
