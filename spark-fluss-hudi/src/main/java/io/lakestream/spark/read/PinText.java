package io.lakestream.spark.read;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.types.TablePath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/** Gets a pin's JSON, which is given itself or as the path of a file on any Hadoop file system. */
final class PinText {
  private PinText() {}

  static String load(TablePath table, String jsonOrPath) {
    if (jsonOrPath.stripLeading().startsWith("{")) {
      return jsonOrPath;
    }
    Path path = new Path(jsonOrPath);
    var conf = SparkSession.active().sessionState().newHadoopConf();
    try (InputStream in = path.getFileSystem(conf).open(path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw LakestreamException.of(
          ErrorCode.INVALID_PIN,
          table,
          "the snapshot pin file '" + path + "' cannot be read: " + e.getMessage() + ".",
          "Give the JSON itself, or the path of a readable file.",
          e);
    }
  }
}
