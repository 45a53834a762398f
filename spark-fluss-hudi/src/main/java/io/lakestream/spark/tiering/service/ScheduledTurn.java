package io.lakestream.spark.tiering.service;

import io.lakestream.spark.tiering.TableOwner;

/** The turn of a table that the service tiers at its own pace. */
record ScheduledTurn(String table, RoundSchedule schedule) implements Turn {

  @Override
  public TableOwner owner() {
    return TableOwner.NOBODY;
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
