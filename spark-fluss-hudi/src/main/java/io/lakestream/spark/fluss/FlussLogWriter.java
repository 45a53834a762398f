package io.lakestream.spark.fluss;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.log.LogWriter;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Writes rows and counts their acknowledgements. Fluss's own flush neither tells errors nor ends
 * while a server is away; here the first error of any row fails the writer, and a flush ends when
 * no row was acknowledged for the idle time-out.
 */
final class FlussLogWriter implements LogWriter {
  private final TablePath path;
  private final List<TableColumn> columns;
  private final SparkRowView view;
  private final RowSink sink;
  private final ReadSettings settings;
  private final Object acknowledgements = new Object();

  /** Guarded by {@link #acknowledgements}, as is the failure. */
  private long acknowledged;

  private Throwable failure;
  private long written;
  private boolean closed;

  FlussLogWriter(LogTable table, RowSink sink, ReadSettings settings) {
    this.path = table.path();
    this.columns = table.schema().columns();
    this.view =
        new SparkRowView(columns.stream().map(TableColumn::type).toArray(LogicalType[]::new));
    this.sink = sink;
    this.settings = settings;
  }

  @Override
  public void write(org.apache.spark.sql.catalyst.InternalRow row) {
    synchronized (acknowledgements) {
      requireNoFailure();
    }
    requireValues(row);
    view.pointTo(row);
    CompletableFuture<?> answer;
    try {
      answer = sink.write(view);
    } catch (RuntimeException e) {
      throw failed("a row was refused: " + e, e);
    }
    written++;
    answer.whenComplete((result, error) -> acknowledge(error));
  }

  /** Fluss encodes a null where none is allowed as if it were a value. */
  private void requireValues(org.apache.spark.sql.catalyst.InternalRow row) {
    for (int i = 0; i < columns.size(); i++) {
      if (!columns.get(i).type().nullable() && row.isNullAt(i)) {
        throw failed(
            "a row has null in the column "
                + columns.get(i).name()
                + ", which is "
                + columns.get(i).type()
                + ".",
            null);
      }
    }
  }

  private void acknowledge(Throwable error) {
    synchronized (acknowledgements) {
      acknowledged++;
      if (failure == null) {
        failure = error;
      }
      acknowledgements.notifyAll();
    }
  }

  @Override
  public void flush() throws InterruptedIOException {
    synchronized (acknowledgements) {
      requireNoFailure();
      long seen = acknowledged;
      long deadline = System.nanoTime() + settings.idleTimeout().toNanos();
      while (acknowledged < written) {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          throw failed(
              (written - acknowledged)
                  + " of "
                  + written
                  + " rows were not acknowledged, and none"
                  + " was for "
                  + settings.idleTimeout().toSeconds()
                  + " s.",
              null);
        }
        await(left);
        requireNoFailure();
        if (acknowledged > seen) {
          seen = acknowledged;
          deadline = System.nanoTime() + settings.idleTimeout().toNanos();
        }
      }
    }
  }

  private void await(long millis) throws InterruptedIOException {
    try {
      acknowledgements.wait(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the task was killed while rows were in flight");
    }
  }

  private void requireNoFailure() {
    if (failure != null) {
      Throwable cause = FlussErrors.unwrap(failure);
      throw failed("the cluster refused a row: " + cause.getMessage(), cause);
    }
  }

  private LakestreamException failed(String problem, Throwable cause) {
    return LakestreamException.of(
        ErrorCode.WRITE_FAILED,
        path,
        problem,
        "Some rows may have been written; see the cause, then write again.",
        cause);
  }

  /** Rows that no {@link #flush} has waited for may be lost. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      boolean inFlight;
      synchronized (acknowledgements) {
        inFlight = acknowledged < written;
      }
      sink.close(inFlight);
    }
  }
}
