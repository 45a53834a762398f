package io.lakestream.spark.tiering.service;

import io.lakestream.spark.tiering.RoundResult;
import java.util.Optional;

/** The turn of a table that the service tiers at its own pace. */
record ScheduledTurn(String table, TieredTables tables, RoundSchedule schedule) implements Turn {

  @Override
  public RoundResult tier() {
    return tables.tier(table);
  }

  @Override
  public Optional<String> maintain() {
    return tables.maintain(table);
  }

  @Override
  public void succeeded(boolean more) {
    // Nobody else waits for it.
  }

  @Override
  public void failed() {
    // Nobody else waits for it.
  }
}
