package io.lakestream.spark.tiering.service;

import io.lakestream.spark.log.TieringLease;
import io.lakestream.spark.log.TieringLeases;
import io.lakestream.spark.tiering.LeaseOwner;

/**
 * A table that its cluster has given to this service for one round.
 *
 * @param name the table's name in the listing
 * @param leases the cluster's leases
 * @param lease the one of the table
 */
public record LeasedTable(String name, TieringLeases leases, TieringLease lease) {

  /** The right to tier the table. */
  public LeaseOwner owner() {
    return new LeaseOwner(leases, lease);
  }
}
