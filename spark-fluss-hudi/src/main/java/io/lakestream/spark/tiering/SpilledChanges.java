package io.lakestream.spark.tiering;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Changes on local disk, in one file for each part of the key space; a file keeps the order in
 * which its changes came. Write all, then read each part once. Not thread-safe.
 */
final class SpilledChanges implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final SpillSpace space;
  private final Path directory;
  private final DataOutputStream[] outputs;
  private final long[] counts;

  /** Begins files in a new directory of the space. */
  SpilledChanges(SpillSpace space, int parts) throws IOException {
    this.space = space;
    this.directory = Files.createTempDirectory(space.directory(), "lakestream-fold");
    this.outputs = new DataOutputStream[parts];
    this.counts = new long[parts];
  }

  void write(int part, KeyChange change) throws IOException {
    if (outputs[part] == null) {
      outputs[part] =
          new DataOutputStream(
              new BufferedOutputStream(
                  space.write(Files.newOutputStream(file(part))), BUFFER_BYTES));
    }
    DataOutputStream output = outputs[part];
    byte[] row = change.row().getBytes();
    output.writeBoolean(change.deleted());
    output.writeLong(change.offset());
    output.writeLong(change.timestamp());
    output.writeInt(row.length);
    output.write(row);
    counts[part]++;
  }

  /** What is done with a change that was read. */
  interface Consumer {
    void accept(KeyChange change) throws IOException;
  }

  /** Reads a part in the order in which it was written, and deletes it. */
  void drain(int part, int columns, Consumer consumer) throws IOException {
    if (outputs[part] == null) {
      return;
    }
    outputs[part].close();
    outputs[part] = null;
    try (DataInputStream input =
        new DataInputStream(
            new BufferedInputStream(space.read(Files.newInputStream(file(part))), BUFFER_BYTES))) {
      for (long change = 0; change < counts[part]; change++) {
        boolean deleted = input.readBoolean();
        long offset = input.readLong();
        long timestamp = input.readLong();
        byte[] bytes = new byte[input.readInt()];
        input.readFully(bytes);
        UnsafeRow row = new UnsafeRow(columns);
        row.pointTo(bytes, bytes.length);
        consumer.accept(new KeyChange(row, deleted, offset, timestamp));
      }
    }
    Files.delete(file(part));
  }

  private Path file(int part) {
    return directory.resolve("part-" + part);
  }

  /** Deletes everything, also if a file does not close, for example because the disk is full. */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (int part = 0; part < outputs.length; part++) {
      failure = attempt(failure, outputs[part]);
      outputs[part] = null;
      Path file = file(part);
      failure = attempt(failure, () -> Files.deleteIfExists(file));
    }
    failure = attempt(failure, () -> Files.deleteIfExists(directory));
    if (failure != null) {
      throw failure;
    }
  }

  private static IOException attempt(IOException before, Closeable step) {
    try {
      if (step != null) {
        step.close();
      }
      return before;
    } catch (IOException failure) {
      if (before == null) {
        return failure;
      }
      before.addSuppressed(failure);
      return before;
    }
  }
}
