package io.lakestream.spark.tiering;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.log.TieringLease;
import io.lakestream.spark.log.TieringLeases;

/**
 * For tables that the cluster has given to this service. The coordinator is shown the epochs of the
 * lease each time, so a round whose lease went to another service never commits.
 */
public record LeaseOwner(TieringLeases leases, TieringLease lease) implements TableOwner {

  @Override
  public void check(LogTable table) {
    if (table.tableId() != lease.tableId()) {
      throw LakestreamException.of(
          ErrorCode.TABLE_REPLACED,
          table.path(),
          "the cluster gave the table with id "
              + lease.tableId()
              + " but the table now has the id "
              + table.tableId()
              + ".",
          "Nothing needs to be done: the cluster gives the new table out in its turn.");
    }
    leases.renew(lease);
  }
}
