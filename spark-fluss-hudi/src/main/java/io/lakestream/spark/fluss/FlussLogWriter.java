package io.lakestream.spark.fluss;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogWriter;
import io.lakestream.spark.types.TablePath;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.fluss.row.InternalRow;

/**
 * Writes rows and counts their acknowledgements. Fluss's own flush neither tells errors nor ends
 * while a server is away; here the first error of any row fails the writer, and a flush ends when
 * no row was acknowledged for the idle time-out.
 */
final class FlussLogWriter implements LogWriter {
  private final TablePath path;
  private final SparkRowView view;
  private final Function<InternalRow, CompletableFuture<?>> write;
  private final ReadSettings settings;
  private final Object acknowledgements = new Object();

  /** Guarded by {@link #acknowledgements}, as is the failure. */
  private long acknowledged;

  private Throwable failure;
  private long written;

  FlussLogWriter(
      TablePath path,
      SparkRowView view,
      Function<InternalRow, CompletableFuture<?>> write,
      ReadSettings settings) {
    this.path = path;
    this.view = view;
    this.write = write;
    this.settings = settings;
  }

  @Override
  public void write(org.apache.spark.sql.catalyst.InternalRow row) {
    synchronized (acknowledgements) {
      requireNoFailure();
    }
    view.pointTo(row);
    CompletableFuture<?> answer;
    try {
      answer = write.apply(view);
    } catch (RuntimeException e) {
      throw failed("a row was refused: " + e, e);
    }
    written++;
    answer.whenComplete((result, error) -> acknowledge(error));
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

  /** Rows handed over go on to the cluster; only {@link #flush} tells whether they arrived. */
  @Override
  public void close() {}
}
