package io.lakestream.spark.fluss;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.client.metadata.ClientSchemaGetter;
import org.apache.fluss.client.metadata.MetadataUpdater;
import org.apache.fluss.client.metrics.ScannerMetricGroup;
import org.apache.fluss.client.table.scanner.RemoteFileDownloader;
import org.apache.fluss.client.table.scanner.log.LogScannerImpl;
import org.apache.fluss.client.table.scanner.log.LogScannerStatus;
import org.apache.fluss.client.table.scanner.log.ScanRecords;
import org.apache.fluss.cluster.BucketLocation;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.metadata.SchemaGetter;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.metrics.Histogram;
import org.apache.fluss.metrics.HistogramStatistics;
import org.apache.fluss.predicate.Predicate;
import org.apache.fluss.rpc.metrics.ClientMetricGroup;

/**
 * A scanner of the Fluss client that counts the bytes it fetches; the one place that builds one
 * from the client's internals.
 *
 * <p>The client tells the size of each answer, as it came over the wire, to a metric of the
 * scanner, which keeps only a window of the newest ones. Scanners made the public way have a metric
 * group of their own that nobody can reach; so this one is made by the constructor that takes the
 * group. Not thread-safe.
 */
final class LogScan implements AutoCloseable {
  private final LogScannerImpl scanner;
  private final Meter meter;
  private final MetadataUpdater metadata;
  private final boolean partitioned;

  private LogScan(
      LogScannerImpl scanner, Meter meter, MetadataUpdater metadata, boolean partitioned) {
    this.scanner = scanner;
    this.meter = meter;
    this.metadata = metadata;
    this.partitioned = partitioned;
  }

  /**
   * A scanner that is subscribed to nothing yet. May block on the network.
   *
   * @param projection positions of the columns to fetch, or null for all
   */
  static LogScan open(FlussConnection connection, TableInfo info, int[] projection)
      throws ReflectiveOperationException {
    Meter meter = new Meter(connection.getClientMetricGroup(), info);
    Constructor<LogScannerImpl> constructor =
        LogScannerImpl.class.getDeclaredConstructor(
            Configuration.class,
            TableInfo.class,
            MetadataUpdater.class,
            LogScannerStatus.class,
            ScannerMetricGroup.class,
            RemoteFileDownloader.class,
            int[].class,
            SchemaGetter.class,
            Predicate.class);
    constructor.setAccessible(true);
    try {
      LogScannerImpl scanner =
          constructor.newInstance(
              connection.getConfiguration(),
              info,
              connection.getMetadataUpdater(),
              new LogScannerStatus(),
              meter,
              connection.getOrCreateRemoteFileDownloader(),
              projection,
              new ClientSchemaGetter(
                  info.getTablePath(), info.getSchemaInfo(), connection.getAdmin()),
              null);
      return new LogScan(scanner, meter, connection.getMetadataUpdater(), info.isPartitioned());
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException runtime) {
        throw runtime;
      }
      throw e;
    }
  }

  void subscribe(TableBucket bucket, long offset) {
    if (partitioned) {
      scanner.subscribe(bucket.getPartitionId(), bucket.getBucket(), offset);
    } else {
      scanner.subscribe(bucket.getBucket(), offset);
    }
  }

  ScanRecords poll(Duration timeout) {
    return scanner.poll(timeout);
  }

  /** Who leads the bucket as far as this client knows, for messages. */
  String leader(TableBucket bucket) {
    return metadata
        .getBucketLocation(bucket)
        .map(BucketLocation::getLeader)
        .map(id -> "tablet server " + id)
        .orElse("no tablet server");
  }

  /** The answers of tablet servers plus the remote segments downloaded, in bytes. */
  long bytesFetched() {
    return meter.answerBytes.sum() + meter.remoteFetchBytes().getCount();
  }

  /** How many downloads of remote segments failed. */
  long failedDownloads() {
    return meter.remoteFetchErrorCount().getCount();
  }

  @Override
  public void close() {
    scanner.close();
  }

  /** The scanner's metrics, with a sum of all answers. */
  private static final class Meter extends ScannerMetricGroup {
    private final LongAdder answerBytes = new LongAdder();

    Meter(ClientMetricGroup parent, TableInfo info) {
      super(parent, info.getTablePath());
    }

    @Override
    public Histogram bytesPerRequest() {
      Histogram window = super.bytesPerRequest();
      return new Histogram() {
        @Override
        public void update(long bytes) {
          answerBytes.add(bytes);
          window.update(bytes);
        }

        @Override
        public long getCount() {
          return window.getCount();
        }

        @Override
        public HistogramStatistics getStatistics() {
          return window.getStatistics();
        }
      };
    }
  }
}
