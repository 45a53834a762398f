package io.lakestream.spark.hudi;

import java.util.function.Supplier;
import org.apache.spark.sql.internal.SQLConf;
import scala.runtime.AbstractFunction0;

/**
 * Runs code under Spark settings by which dates and timestamps are stored as they are. Spark's
 * default is to fail on those before the Gregorian calendar, which Fluss has like any other.
 */
final class RebaseFreeWrite {
  private RebaseFreeWrite() {}

  static <T> T call(Supplier<T> action) {
    SQLConf conf = new SQLConf();
    conf.setConfString("spark.sql.parquet.datetimeRebaseModeInWrite", "CORRECTED");
    conf.setConfString("spark.sql.avro.datetimeRebaseModeInWrite", "CORRECTED");
    return SQLConf.withExistingConf(
        conf,
        new AbstractFunction0<T>() {
          @Override
          public T apply() {
            return action.get();
          }
        });
  }
}
