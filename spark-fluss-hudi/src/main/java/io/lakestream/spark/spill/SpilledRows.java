package io.lakestream.spark.spill;

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
 * Rows on local disk, in one file for each part of the key space; a file keeps the order in which
 * its rows came. Write all, then read parts as often as wanted. {@link #close} deletes the files.
 * Not thread-safe.
 */
public final class SpilledRows implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final SpillSpace space;
  private final Path directory;
  private final int marks;
  private final DataOutputStream[] outputs;
  private final long[] counts;

  /**
   * Begins files in a new directory of the space.
   *
   * @param parts the number of files
   * @param marks how many numbers stand beside each row
   */
  public SpilledRows(SpillSpace space, int parts, int marks) throws IOException {
    this.space = space;
    this.directory = Files.createTempDirectory(space.directory(), "lakestream-spill");
    this.marks = marks;
    this.outputs = new DataOutputStream[parts];
    this.counts = new long[parts];
  }

  /**
   * Appends a row to a part.
   *
   * @param marks as many numbers as the constructor was told
   * @return the bytes that it takes
   */
  public long write(int part, UnsafeRow row, long... marks) throws IOException {
    if (marks.length != this.marks) {
      throw new IllegalArgumentException(marks.length + " marks instead of " + this.marks);
    }
    if (outputs[part] == null) {
      if (counts[part] > 0) {
        throw new IllegalStateException("part " + part + " was read already");
      }
      outputs[part] =
          new DataOutputStream(
              new BufferedOutputStream(
                  space.write(Files.newOutputStream(file(part))), BUFFER_BYTES));
    }
    DataOutputStream output = outputs[part];
    for (long mark : marks) {
      output.writeLong(mark);
    }
    byte[] content = row.getBytes();
    output.writeInt(content.length);
    output.write(content);
    counts[part]++;
    return (long) marks.length * Long.BYTES + Integer.BYTES + content.length;
  }

  /** What is done with a row that was read; the row is the consumer's to keep, the marks not. */
  @FunctionalInterface
  public interface Consumer {
    void accept(UnsafeRow row, long[] marks) throws IOException;
  }

  /**
   * Reads a part in the order in which it was written; nothing can be written to it afterwards.
   *
   * @param columns how many columns the rows have
   */
  public void read(int part, int columns, Consumer consumer) throws IOException {
    finish(part);
    if (counts[part] == 0) {
      return;
    }
    long[] marksRead = new long[marks];
    try (DataInputStream input =
        new DataInputStream(
            new BufferedInputStream(space.read(Files.newInputStream(file(part))), BUFFER_BYTES))) {
      for (long read = 0; read < counts[part]; read++) {
        for (int i = 0; i < marks; i++) {
          marksRead[i] = input.readLong();
        }
        byte[] content = new byte[input.readInt()];
        input.readFully(content);
        UnsafeRow row = new UnsafeRow(columns);
        row.pointTo(content, content.length);
        consumer.accept(row, marksRead);
      }
    }
  }

  /** Deletes a part's file before the end. */
  public void delete(int part) throws IOException {
    finish(part);
    Files.deleteIfExists(file(part));
  }

  private void finish(int part) throws IOException {
    if (outputs[part] != null) {
      DataOutputStream output = outputs[part];
      outputs[part] = null;
      output.close();
    }
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
