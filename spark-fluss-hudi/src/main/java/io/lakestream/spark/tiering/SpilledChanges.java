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

  private final Path directory;
  private final DataOutputStream[] outputs;

  /** Begins files in a new directory under {@code parent}. */
  SpilledChanges(Path parent, int parts) throws IOException {
    this.directory = Files.createTempDirectory(parent, "lakestream-fold");
    this.outputs = new DataOutputStream[parts];
  }

  void write(int part, KeyChange change) throws IOException {
    if (outputs[part] == null) {
      outputs[part] =
          new DataOutputStream(
              new BufferedOutputStream(Files.newOutputStream(file(part)), BUFFER_BYTES));
    }
    DataOutputStream output = outputs[part];
    byte[] row = change.row().getBytes();
    output.writeBoolean(change.deleted());
    output.writeLong(change.offset());
    output.writeLong(change.timestamp());
    output.writeInt(row.length);
    output.write(row);
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
    long left = Files.size(file(part));
    try (DataInputStream input =
        new DataInputStream(
            new BufferedInputStream(Files.newInputStream(file(part)), BUFFER_BYTES))) {
      while (left > 0) {
        boolean deleted = input.readBoolean();
        long offset = input.readLong();
        long timestamp = input.readLong();
        byte[] bytes = new byte[input.readInt()];
        input.readFully(bytes);
        UnsafeRow row = new UnsafeRow(columns);
        row.pointTo(bytes, bytes.length);
        consumer.accept(new KeyChange(row, deleted, offset, timestamp));
        left -= 1 + 2 * Long.BYTES + Integer.BYTES + bytes.length;
      }
    }
    Files.delete(file(part));
  }

  private Path file(int part) {
    return directory.resolve("part-" + part);
  }

  @Override
  public void close() throws IOException {
    for (int part = 0; part < outputs.length; part++) {
      if (outputs[part] != null) {
        outputs[part].close();
      }
      Files.deleteIfExists(file(part));
    }
    Files.deleteIfExists(directory);
  }
}
