package io.lakestream.spark.tiering.service;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.lakestream.spark.tiering.RoundResult;
import io.lakestream.spark.tiering.RoundStep;
import io.lakestream.spark.tiering.TableStatus;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.metrics.source.Source;

/**
 * The figures of a service for Spark's metric system: counters {@code <table>.rounds}, {@code
 * .failures}, {@code .rows}, {@code .deletes}, {@code .bytes}, and gauges {@code .lagOffsets},
 * {@code .lagMillis} and, for the last round, {@code .lastRound.<step>Millis}. Thread-safe.
 */
public final class TieringMetrics implements Source, RoundListener {
  private static final String NAME = "lakestream.tiering";

  private final MetricRegistry registry = new MetricRegistry();
  private final Map<String, Long> gauges = new ConcurrentHashMap<>();

  @Override
  public String sourceName() {
    return NAME;
  }

  @Override
  public MetricRegistry metricRegistry() {
    return registry;
  }

  @Override
  public void succeeded(String table, RoundResult result, TableStatus status) {
    count(table, "rounds", result.instant().isPresent() ? 1 : 0);
    count(table, "rows", result.rows());
    count(table, "deletes", result.deletes());
    count(table, "bytes", result.bytes());
    set(table, "lagOffsets", status.lag());
    set(table, "lagMillis", status.age().map(age -> age.toMillis()).orElse(0L));
    for (RoundStep step : RoundStep.values()) {
      var duration = result.durations().get(step);
      set(
          table,
          "lastRound." + step.name().toLowerCase(Locale.ROOT) + "Millis",
          duration == null ? 0 : duration.toMillis());
    }
  }

  @Override
  public void failed(String table, Throwable failure) {
    count(table, "failures", 1);
  }

  private void count(String table, String name, long increment) {
    registry.counter(MetricRegistry.name(table, name)).inc(increment);
  }

  private void set(String table, String name, long value) {
    String whole = MetricRegistry.name(table, name);
    gauges.put(whole, value);
    registry.gauge(whole, () -> (Gauge<Long>) () -> gauges.get(whole));
  }
}
