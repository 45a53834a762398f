package io.lakestream.spark.catalog;

import io.lakestream.spark.tiering.BucketStatus;
import io.lakestream.spark.tiering.TableStatus;
import java.time.Duration;
import java.util.Optional;

/** A table's status as lines of text, one for each bucket. */
final class StatusText {
  private static final String LINE = "%-24s %6s %12s %12s %12s %12s %12s %14s%n";

  private StatusText() {}

  static String of(TableStatus status) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%s: lake instant %s, lag %d offsets%n"
            .formatted(status.table(), status.lakeInstant().orElse("none"), status.lag()));
    text.append(
        LINE.formatted(
            "partition",
            "bucket",
            "log start",
            "tiered",
            "log end",
            "lag",
            "lag ms",
            "headroom ms"));
    for (BucketStatus bucket : status.buckets()) {
      text.append(
          LINE.formatted(
              bucket.partition() == null ? "-" : bucket.partition(),
              bucket.bucket().bucket(),
              bucket.logStart(),
              bucket.tieredOffset(),
              bucket.logEnd(),
              bucket.lag(),
              millis(bucket.age()),
              millis(bucket.headroom())));
    }
    status.warning().ifPresent(warning -> text.append("WARNING ").append(warning).append('\n'));
    return text.toString();
  }

  private static String millis(Optional<Duration> duration) {
    return duration.map(value -> Long.toString(value.toMillis())).orElse("-");
  }
}
