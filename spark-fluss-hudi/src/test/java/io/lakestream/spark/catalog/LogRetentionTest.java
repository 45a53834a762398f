package io.lakestream.spark.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LogRetentionTest {
  private static final Optional<Duration> WEEK = Optional.of(Duration.ofDays(7));

  @Test
  void aFiniteTimeToLiveBesideALakeIsAWarning() {
    assertThat(warning(true, WEEK, Map.of()))
        .contains(
            "db.t: Fluss deletes rows that are older than 'table.log.ttl' (604800 s), whether they"
                + " are in the lake or not. Tier the table at least every 302400 s.");
  }

  @Test
  void otherwiseThereIsNone() {
    assertThat(warning(true, Optional.empty(), Map.of())).isEmpty();
    assertThat(warning(false, WEEK, Map.of())).isEmpty();
    assertThat(warning(true, WEEK, Map.of("table.datalake.enabled", "true"))).isEmpty();
  }

  private static Optional<String> warning(
      boolean hasLake, Optional<Duration> timeToLive, Map<String, String> properties) {
    LogTable table =
        new LogTable(
            new TablePath("db", "t"),
            1,
            1,
            new TableSchema(
                List.of(new TableColumn("id", LogicalType.of(LogicalType.Kind.INTEGER), null))),
            List.of(),
            List.of(),
            List.of(),
            1,
            properties,
            Map.of(),
            null);
    return LogRetention.warning(table, hasLake, timeToLive);
  }
}
