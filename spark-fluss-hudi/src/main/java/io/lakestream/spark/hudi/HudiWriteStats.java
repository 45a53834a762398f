package io.lakestream.spark.hudi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hudi.client.WriteStatus;
import org.apache.hudi.common.model.HoodieWriteStat;

/** Carries what Hudi's write handles say of their files from a task to the driver. */
final class HudiWriteStats {
  private HudiWriteStats() {}

  /**
   * The files of a task.
   *
   * @throws IOException if a record was not written: Hudi's handles keep such errors to themselves
   */
  static byte[] write(List<WriteStatus> statuses) throws IOException {
    ArrayList<HoodieWriteStat> stats = new ArrayList<>();
    for (WriteStatus status : statuses) {
      if (status.hasErrors() || status.getTotalErrorRecords() > 0) {
        Throwable cause =
            status.hasGlobalError()
                ? status.getGlobalError()
                : status.getErrors().values().stream().findFirst().orElse(null);
        throw new IOException(
            status.getTotalErrorRecords() + " records of " + status.getFileId() + " failed", cause);
      }
      stats.add(status.getStat());
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
      output.writeObject(stats);
    }
    return bytes.toByteArray();
  }

  /** The size of the files of a task. */
  static long bytes(List<WriteStatus> statuses) {
    return statuses.stream().mapToLong(status -> status.getStat().getTotalWriteBytes()).sum();
  }

  /** What {@link #write} made. */
  static List<HoodieWriteStat> read(byte[] files) {
    try (ObjectInputStream input = new ObjectInputStream(new ByteArrayInputStream(files))) {
      List<HoodieWriteStat> stats = new ArrayList<>();
      for (Object stat : (List<?>) input.readObject()) {
        stats.add((HoodieWriteStat) stat);
      }
      return stats;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (ClassNotFoundException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
