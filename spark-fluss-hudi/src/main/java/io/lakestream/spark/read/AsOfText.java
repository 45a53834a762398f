package io.lakestream.spark.read;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.AsOf;
import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.types.TablePath;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Reads the option {@code as.of.instant}: an instant as Hudi spells it, in milliseconds or in whole
 * seconds, or a timestamp or date as Spark reads it.
 */
final class AsOfText {
  private static final String MILLIS_INSTANT = "\\d{17}";
  private static final String SECONDS_INSTANT = "\\d{14}";

  /** Instants of the named second are not after it. */
  private static final String LAST_MILLISECOND = "999";

  private AsOfText() {}

  /**
   * Parses the option's value.
   *
   * @param zone the zone of timestamps that name none
   */
  static AsOf parse(TablePath table, String text, ZoneId zone) {
    if (text.matches(MILLIS_INSTANT)) {
      return new AsOf.RequestedTime(text);
    }
    if (text.matches(SECONDS_INSTANT)) {
      return new AsOf.RequestedTime(text + LAST_MILLISECOND);
    }
    var micros = DateTimeUtils.stringToTimestamp(UTF8String.fromString(text), zone);
    if (micros.isEmpty()) {
      throw LakestreamException.of(
          ErrorCode.INVALID_OPTION,
          table,
          "'"
              + LakestreamOptions.AS_OF_INSTANT.key()
              + "' is '"
              + text
              + "', which is neither an instant nor a timestamp.",
          "Give " + LakestreamOptions.AS_OF_INSTANT.range() + ".");
    }
    return new AsOf.Moment(Instant.EPOCH.plus((Long) micros.get(), ChronoUnit.MICROS));
  }
}
