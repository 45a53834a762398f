package io.lakestream.spark.tiering.service;

import io.lakestream.spark.tiering.TableOwner;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turn of a table that its cluster gave to this service. It gives signs of life from its making
 * to its end.
 *
 * @param given the table and its lease
 * @param renewal the signs of life
 */
record LeasedTurn(LeasedTable given, Future<?> renewal, RoundSchedule schedule) implements Turn {
  private static final Logger LOG = LoggerFactory.getLogger(LeasedTurn.class);

  @Override
  public String table() {
    return given.name();
  }

  @Override
  public TableOwner owner() {
    return given.owner();
  }

  /** What the round did stays, whatever the cluster says of the lease. */
  @Override
  public void succeeded(boolean more) {
    renewal.cancel(false);
    quietly(given.name(), () -> given.leases().finish(given.lease(), more));
  }

  @Override
  public void failed() {
    renewal.cancel(false);
    giveBack(given);
  }

  /** Gives a table back that was not tiered. */
  static void giveBack(LeasedTable given) {
    quietly(given.name(), () -> given.leases().giveBack(given.lease()));
  }

  /** Tells a cluster something that it finds out by itself if it is not told. */
  static void quietly(String table, Runnable notice) {
    try {
      notice.run();
    } catch (RuntimeException failure) {
      LOG.warn("{}: the cluster could not be told of the lease.", table, failure);
    }
  }
}
