package io.lakestream.spark.spill;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.util.Utils;

/**
 * Where a task keeps rows that are beyond its memory.
 *
 * @param directory a folder on local disk
 * @param encryption encrypts what goes there, if Spark is told to by {@code
 *     spark.io.encryption.enabled}
 */
public record SpillSpace(Path directory, SerializerManager encryption) {

  /** The space that Spark gives to the tasks of this process. */
  public static SpillSpace ofSpark() {
    SparkEnv spark = SparkEnv.get();
    return new SpillSpace(Path.of(Utils.getLocalDir(spark.conf())), spark.serializerManager());
  }

  OutputStream write(OutputStream file) {
    return encryption.wrapForEncryption(file);
  }

  InputStream read(InputStream file) {
    return encryption.wrapForEncryption(file);
  }
}
