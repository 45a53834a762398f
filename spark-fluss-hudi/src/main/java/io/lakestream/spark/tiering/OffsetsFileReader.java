package io.lakestream.spark.tiering;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/** Reads the offsets files that Fluss keeps in its remote storage. Thread-safe. */
@FunctionalInterface
public interface OffsetsFileReader {

  /** The file's text, empty if there is no such file (Fluss deletes older ones). */
  Optional<String> read(String path) throws IOException;

  /** Reads with Hadoop's file systems. */
  static OffsetsFileReader hadoop(Configuration configuration) {
    return path -> {
      Path file = new Path(path);
      try (FSDataInputStream input = file.getFileSystem(configuration).open(file)) {
        return Optional.of(new String(input.readAllBytes(), StandardCharsets.UTF_8));
      } catch (FileNotFoundException missing) {
        return Optional.empty();
      }
    };
  }
}
