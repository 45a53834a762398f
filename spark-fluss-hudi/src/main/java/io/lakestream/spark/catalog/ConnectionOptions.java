package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.options.Option;
import io.lakestream.spark.options.OptionLayer;
import io.lakestream.spark.options.OptionResolver;
import io.lakestream.spark.types.TablePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Options that were used up when the tiers were connected. A query that gives another value for one
 * of them would not get it, so it is told.
 */
final class ConnectionOptions {
  private ConnectionOptions() {}

  /**
   * Refuses a query's options that differ from those of the connection.
   *
   * @param connected the options with which the tiers were connected
   * @throws LakestreamException {@code INVALID_OPTION}
   */
  static void requireSame(TablePath table, OptionResolver connected, OptionLayer query) {
    OptionResolver asked = new OptionResolver(table, List.of(query));
    for (Option<?> option : LakestreamOptions.connection()) {
      Optional<?> wanted = asked.find(option);
      if (wanted.isPresent() && !wanted.equals(connected.find(option))) {
        throw tooLate(table, option.key());
      }
    }
    List<String> prefixes = new ArrayList<>(LakestreamOptions.CLIENT_PREFIXES);
    prefixes.add(LakestreamOptions.HADOOP_PREFIX);
    for (String prefix : prefixes) {
      Map<String, String> inForce = connected.underPrefix(prefix);
      asked
          .underPrefix(prefix)
          .forEach(
              (key, value) -> {
                if (!value.equals(inForce.get(key))) {
                  throw tooLate(table, prefix + key);
                }
              });
    }
  }

  private static LakestreamException tooLate(TablePath table, String key) {
    return LakestreamException.of(
        ErrorCode.INVALID_OPTION,
        table,
        "'" + key + "' cannot be changed by a query, because the catalog is connected already.",
        "Set it on the catalog ('spark.sql.catalog.<name>."
            + key
            + "'), or read by"
            + " format(\"lakestream\") with 'bootstrap.servers'.");
  }
}
