package io.lakestream.spark.tiering.service;

import io.lakestream.spark.tiering.RoundResult;
import io.lakestream.spark.tiering.RoundStep;
import io.lakestream.spark.tiering.TableStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A round in one line of text, for the log and for people. */
public final class ProgressLine {
  private ProgressLine() {}

  /** {@code db.t: instant …, 3 rows, 1 deletes, 512 bytes; lag 0; write 12 ms, …}. */
  public static String of(
      String table, RoundResult result, TableStatus status, Optional<String> maintenance) {
    String recovered =
        result.recoveredInstant().map(instant -> ", reported " + instant + " first").orElse("");
    String lag =
        "; lag "
            + status.lag()
            + " offsets"
            + status.age().map(age -> " (" + age.toMillis() + " ms)").orElse("");
    String steps =
        Arrays.stream(RoundStep.values())
            .filter(result.durations()::containsKey)
            .map(step -> spell(step) + " " + millis(result.durations().get(step)))
            .collect(Collectors.joining(", "));
    return table
        + ": "
        + result.instant().map(instant -> "instant " + instant).orElse("nothing new")
        + ", "
        + result.rows()
        + " rows, "
        + result.deletes()
        + " deletes, "
        + result.bytes()
        + " bytes"
        + recovered
        + lag
        + "; "
        + steps
        + maintenance.map(done -> "; " + done).orElse("");
  }

  private static String spell(RoundStep step) {
    return step.name().toLowerCase(Locale.ROOT);
  }

  private static String millis(Duration duration) {
    return duration.toMillis() + " ms";
  }
}
