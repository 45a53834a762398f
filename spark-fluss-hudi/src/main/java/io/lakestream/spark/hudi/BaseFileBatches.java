package io.lakestream.spark.hudi;

import io.lakestream.spark.types.BatchIterator;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.function.Function;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Batches of a base file whose errors name the table and the file: a file may go, or turn out to be
 * damaged, at any batch. The end of a killed task is passed on as it is.
 */
final class BaseFileBatches implements BatchIterator {
  private final BatchIterator batches;
  private final Function<Exception, RuntimeException> errors;

  private BaseFileBatches(BatchIterator batches, Function<Exception, RuntimeException> errors) {
    this.batches = batches;
    this.errors = errors;
  }

  /** Opens a file. */
  interface Opening {
    BatchIterator open() throws IOException;
  }

  /**
   * Opens a file.
   *
   * @param errors gives what is thrown instead of an error
   */
  static BatchIterator open(Opening opening, Function<Exception, RuntimeException> errors)
      throws IOException {
    return new BaseFileBatches(guarded(opening::open, errors), errors);
  }

  private interface Action<T> {
    T run() throws IOException;
  }

  private static <T> T guarded(Action<T> action, Function<Exception, RuntimeException> errors)
      throws IOException {
    try {
      return action.run();
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw errors.apply(e);
    }
  }

  @Override
  public boolean next() throws IOException {
    return guarded(batches::next, errors);
  }

  @Override
  public ColumnarBatch get() {
    return batches.get();
  }

  @Override
  public void close() throws IOException {
    batches.close();
  }
}
