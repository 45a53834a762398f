package io.lakestream.spark.fluss;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.log.LogReader;
import io.lakestream.spark.types.TablePath;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.client.table.scanner.log.ScanRecords;
import org.apache.fluss.exception.AuthenticationException;
import org.apache.fluss.exception.AuthorizationException;
import org.apache.fluss.exception.FetchException;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.record.ChangeType;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Reads a range by polling. The range ends when the position that Fluss says it has consumed
 * reaches the stop offset: offsets may hold no record, as those of changes without effect.
 */
final class FlussLogReader implements LogReader {
  private static final String OUT_OF_RANGE = "LogOffsetOutOfRangeException";
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(100);

  private final TablePath path;
  private final LogRange range;
  private final TableBucket bucket;
  private final LogScan scan;
  private final LogTableState state;
  private final ReadSettings settings;
  private final FlussRow row;

  private Iterator<ScanRecord> records = Collections.emptyIterator();
  private ScanRecord record;
  private boolean subscribed;

  /** The first offset not yet handed out or known to be empty. */
  private long position;

  /** Where the position will be after the records of the last poll. */
  private long polledUpTo;

  private long lastProgress;

  /** Whether the last poll brought records, on which the consumer may have spent any time since. */
  private boolean progressed;

  private RuntimeException lastFailure;

  FlussLogReader(
      TablePath path,
      TableBucket bucket,
      LogRange range,
      LogProjection projection,
      LogScan scan,
      LogTableState state,
      ReadSettings settings) {
    this.path = path;
    this.range = range;
    this.bucket = bucket;
    this.scan = scan;
    this.state = state;
    this.settings = settings;
    this.row = projection.newRow();
    this.position = range.start();
    this.polledUpTo = range.start();
  }

  @Override
  public boolean next() throws InterruptedIOException {
    while (position < range.stop()) {
      if (records.hasNext()) {
        ScanRecord candidate = records.next();
        if (candidate.logOffset() >= range.stop()) {
          position = range.stop();
        } else if (candidate.logOffset() >= position) {
          record = candidate;
          position = candidate.logOffset() + 1;
          row.pointTo(candidate.getRow());
          return true;
        }
      } else if (polledUpTo > position) {
        position = polledUpTo;
      } else {
        poll();
      }
    }
    records = Collections.emptyIterator();
    record = null;
    return false;
  }

  private void poll() throws InterruptedIOException {
    requireRunning();
    if (!subscribed) {
      scan.subscribe(bucket, range.start());
      subscribed = true;
      progressed = true;
    }
    if (progressed) {
      lastProgress = System.nanoTime();
      progressed = false;
    }
    ScanRecords polled = tryPoll();
    Long consumed = polled.consumedUpToOffset(bucket);
    if (consumed != null && consumed > position) {
      records = polled.records(bucket).iterator();
      polledUpTo = consumed;
      progressed = true;
      lastFailure = null;
    } else {
      examineStandstill();
    }
  }

  private ScanRecords tryPoll() throws InterruptedIOException {
    try {
      return scan.poll(settings.pollTimeout());
    } catch (FetchException e) {
      if (String.valueOf(e.getMessage()).contains(OUT_OF_RANGE)) {
        throw state.outOfRange(range, position, e);
      }
      throw unreadable(e);
    } catch (AuthenticationException | AuthorizationException e) {
      throw unreadable(e);
    } catch (RuntimeException e) {
      // The servers are being sought anew, which the idle time-out bounds.
      lastFailure = e;
      pause();
      return ScanRecords.EMPTY;
    }
  }

  private LakestreamException unreadable(RuntimeException cause) {
    return LakestreamException.of(
        ErrorCode.LOG_UNREADABLE,
        path,
        range.where() + " cannot be read at offset " + position + ": " + cause.getMessage(),
        "See the tablet server's output.",
        cause);
  }

  /**
   * A partition that was dropped, or a table, looks like a log without new records; so does a
   * segment in remote storage that expires while it is downloaded.
   */
  private void examineStandstill() {
    boolean expired = System.nanoTime() - lastProgress >= settings.idleTimeout().toNanos();
    try {
      state.requireBucket(range);
      if (scan.failedDownloads() > 0) {
        Optional<LakestreamException> gap = state.expired(range, position, lastFailure);
        if (gap.isPresent()) {
          throw gap.get();
        }
      }
    } catch (LakestreamException e) {
      if (e.code() != ErrorCode.CLUSTER_UNREACHABLE) {
        throw e;
      }
      lastFailure = e;
    }
    if (expired) {
      throw stalled();
    }
  }

  private LakestreamException stalled() {
    String downloads =
        scan.failedDownloads() == 0
            ? ""
            : " " + scan.failedDownloads() + " downloads of remote log segments failed.";
    return LakestreamException.of(
        ErrorCode.LOG_STALLED,
        path,
        range.where()
            + " made no progress at offset "
            + position
            + " of ["
            + range.start()
            + ", "
            + range.stop()
            + ") for "
            + settings.idleTimeout().toSeconds()
            + " s; its leader is "
            + scan.leader(bucket)
            + "."
            + downloads,
        "Check that the tablet servers run and that this host reaches them; then run the query"
            + " again.",
        lastFailure);
  }

  /** The client's own wait swallows interrupts, so that a killed task must look for itself. */
  private static void requireRunning() throws InterruptedIOException {
    TaskContext task = TaskContext.get();
    if (Thread.interrupted() || (task != null && task.isInterrupted())) {
      throw new InterruptedIOException("the task was killed");
    }
  }

  private static void pause() throws InterruptedIOException {
    try {
      Thread.sleep(PAUSE_AFTER_FAILURE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the task was killed");
    }
  }

  @Override
  public ChangeKind kind() {
    ChangeType type = record.getChangeType();
    return switch (type) {
      case APPEND_ONLY, INSERT -> ChangeKind.INSERT;
      case UPDATE_BEFORE -> ChangeKind.UPDATE_BEFORE;
      case UPDATE_AFTER -> ChangeKind.UPDATE_AFTER;
      case DELETE -> ChangeKind.DELETE;
    };
  }

  @Override
  public long offset() {
    return record.logOffset();
  }

  @Override
  public long timestamp() {
    return record.timestamp();
  }

  @Override
  public InternalRow row() {
    return row;
  }

  @Override
  public long bytesFetched() {
    return scan.bytesFetched();
  }

  @Override
  public void close() {
    scan.close();
  }
}
