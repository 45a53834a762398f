package io.lakestream.spark.read.columnar;

import io.lakestream.spark.types.BatchIterator;
import java.io.IOException;
import java.util.Iterator;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Several streams of batches one after the other, each opened when its turn comes. */
final class SequentialBatches implements BatchIterator {

  /** Opens one of the streams. */
  @FunctionalInterface
  interface Opener {
    BatchIterator open() throws IOException;
  }

  private final Iterator<Opener> openers;
  private BatchIterator current;

  SequentialBatches(Iterator<Opener> openers) {
    this.openers = openers;
  }

  @Override
  public boolean next() throws IOException {
    while (true) {
      if (current != null && current.next()) {
        return true;
      }
      close();
      if (!openers.hasNext()) {
        return false;
      }
      current = openers.next().open();
    }
  }

  @Override
  public ColumnarBatch get() {
    return current.get();
  }

  @Override
  public void close() throws IOException {
    if (current != null) {
      BatchIterator closing = current;
      current = null;
      closing.close();
    }
  }
}
