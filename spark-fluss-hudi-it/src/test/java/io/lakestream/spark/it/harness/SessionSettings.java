package io.lakestream.spark.it.harness;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.SparkSession;

/**
 * Session settings that hold for a while.
 *
 * @param values by key
 */
record SessionSettings(Map<String, String> values) {
  /** Runs {@code body} with the settings, which are undone afterwards. */
  <T> T call(SparkSession spark, Callable<T> body) throws Exception {
    RuntimeConfig session = spark.conf();
    Map<String, String> before = new HashMap<>();
    values.keySet().forEach(key -> before.put(key, session.get(key, null)));
    values.forEach(session::set);
    try {
      return body.call();
    } finally {
      before.forEach(
          (key, value) -> {
            if (value == null) {
              session.unset(key);
            } else {
              session.set(key, value);
            }
          });
    }
  }
}
