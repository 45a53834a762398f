package io.lakestream.spark.hudi;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.internal.SQLConf;
import scala.runtime.AbstractFunction0;

/**
 * Runs code under Spark settings by which dates and timestamps are stored as they are. Spark's
 * default is to fail on those before the Gregorian calendar, which Fluss has like any other.
 */
final class RebaseFreeWrite {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "spark.sql.parquet.datetimeRebaseModeInWrite", "CORRECTED",
          "spark.sql.avro.datetimeRebaseModeInWrite", "CORRECTED");

  private RebaseFreeWrite() {}

  /** Runs an action in this thread, in a task or on the driver. */
  static <T> T call(Supplier<T> action) {
    SQLConf conf = new SQLConf();
    SETTINGS.forEach(conf::setConfString);
    return SQLConf.withExistingConf(
        conf,
        new AbstractFunction0<T>() {
          @Override
          public T apply() {
            return action.get();
          }
        });
  }

  /** Runs an action on the driver; the settings hold in the tasks of its Spark jobs. */
  static <T> T callJobs(JavaSparkContext context, Supplier<T> action) {
    Map<String, String> before = new HashMap<>();
    SETTINGS.keySet().forEach(key -> before.put(key, context.getLocalProperty(key)));
    SETTINGS.forEach(context::setLocalProperty);
    try {
      return action.get();
    } finally {
      before.forEach(context::setLocalProperty);
    }
  }
}
