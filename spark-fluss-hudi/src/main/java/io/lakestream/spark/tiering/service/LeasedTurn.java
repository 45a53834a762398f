package io.lakestream.spark.tiering.service;

import io.lakestream.spark.tiering.RoundResult;
import java.util.Optional;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turn of a table that its cluster gave to this service. It gives signs of life from its making
 * to its end.
 *
 * @param renewal the signs of life
 */
record LeasedTurn(LeasedTable lease, Future<?> renewal, RoundSchedule schedule) implements Turn {
  private static final Logger LOG = LoggerFactory.getLogger(LeasedTurn.class);

  @Override
  public String table() {
    return lease.name();
  }

  @Override
  public RoundResult tier() {
    return lease.tier();
  }

  @Override
  public Optional<String> maintain() {
    return lease.maintain();
  }

  @Override
  public void succeeded(boolean more) {
    end(() -> lease.finish(more));
  }

  @Override
  public void failed() {
    end(lease::giveBack);
  }

  /** What the round did stays, whatever the cluster says of the lease. */
  private void end(Runnable notice) {
    renewal.cancel(false);
    quietly(lease.name(), notice);
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
