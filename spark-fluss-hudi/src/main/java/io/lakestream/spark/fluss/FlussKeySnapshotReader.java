package io.lakestream.spark.fluss;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.KeySnapshotReader;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.log.LogTable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collections;
import java.util.Iterator;
import org.apache.fluss.client.table.scanner.batch.BatchScanner;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.utils.CloseableIterator;
import org.apache.spark.TaskContext;

/**
 * Reads a key snapshot by the Fluss client, which downloads its files to local disk first and
 * deletes them when it is closed.
 */
final class FlussKeySnapshotReader implements KeySnapshotReader {
  private final LogTable table;
  private final LogRange range;
  private final long snapshotId;
  private final BatchScanner scanner;
  private final FlussRow row;
  private final ReadSettings settings;
  private Iterator<InternalRow> rows = Collections.emptyIterator();
  private boolean ended;

  FlussKeySnapshotReader(
      LogTable table,
      LogRange range,
      long snapshotId,
      BatchScanner scanner,
      FlussRow row,
      ReadSettings settings) {
    this.table = table;
    this.range = range;
    this.snapshotId = snapshotId;
    this.scanner = scanner;
    this.row = row;
    this.settings = settings;
  }

  @Override
  public boolean next() throws IOException {
    try {
      if (!ended && !rows.hasNext()) {
        awaitRows();
      }
      if (ended) {
        return false;
      }
      row.pointTo(rows.next());
      return true;
    } catch (LakestreamException | InterruptedIOException e) {
      throw e;
    } catch (RuntimeException | IOException e) {
      throw unreadable(table, range, snapshotId, e);
    }
  }

  /** The client hands out an empty iterator while it downloads, and none at the end. */
  private void awaitRows() throws IOException {
    long deadline = System.nanoTime() + settings.idleTimeout().toNanos();
    while (!rows.hasNext()) {
      requireRunning();
      CloseableIterator<InternalRow> polled = scanner.pollBatch(settings.pollTimeout());
      if (polled == null) {
        ended = true;
        return;
      }
      rows = polled;
      if (!rows.hasNext() && System.nanoTime() > deadline) {
        throw LakestreamException.of(
            ErrorCode.LOG_STALLED,
            table.path(),
            range.where()
                + ": the files of the key snapshot "
                + snapshotId
                + " could not be had within "
                + settings.idleTimeout().toSeconds()
                + " s.",
            "Check the cluster's remote storage, or raise 'scan.idle.timeout'.");
      }
    }
  }

  private static void requireRunning() throws InterruptedIOException {
    TaskContext task = TaskContext.get();
    if (Thread.interrupted() || (task != null && task.isInterrupted())) {
      throw new InterruptedIOException("the task was killed");
    }
  }

  static LakestreamException unreadable(
      LogTable table, LogRange range, long snapshotId, Throwable thrown) {
    Throwable root = FlussErrors.unwrap(thrown);
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return LakestreamException.of(
        ErrorCode.LOG_UNREADABLE,
        table.path(),
        range.where()
            + ": the key snapshot "
            + snapshotId
            + " cannot be read: "
            + root.getClass().getSimpleName()
            + ": "
            + root.getMessage()
            + ".",
        "Check that this host reaches the cluster's remote storage ('remote.data.dir'); if the job ran"
            + " for longer than "
            + KeySnapshots.PROMISE.toHours()
            + " hours, run the query again.",
        thrown);
  }

  @Override
  public org.apache.spark.sql.catalyst.InternalRow row() {
    return row;
  }

  @Override
  public void close() throws IOException {
    scanner.close();
  }
}
