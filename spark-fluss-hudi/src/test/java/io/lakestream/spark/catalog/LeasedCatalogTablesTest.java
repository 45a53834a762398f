package io.lakestream.spark.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.TieringLease;
import io.lakestream.spark.log.TieringLeases;
import io.lakestream.spark.tiering.service.LeasedTable;
import io.lakestream.spark.types.TablePath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which of the tables that clusters give out are taken. */
class LeasedCatalogTablesTest {
  private static final TablePath ORDERS = new TablePath("shop", "orders");
  private static final TablePath CLICKS = new TablePath("web", "clicks");

  private final List<String> calls = new ArrayList<>();
  private final Cluster east = new Cluster("east");
  private final Cluster west = new Cluster("west");
  private final LeasedCatalogTables tables = new LeasedCatalogTables();

  private final class Cluster implements TieringLeases {
    private final String address;
    private final Deque<TieringLease> waiting = new ArrayDeque<>();
    private boolean down;

    Cluster(String address) {
      this.address = address;
    }

    void offers(TablePath path, long id) {
      waiting.add(new TieringLease(path, id, 1, 1));
    }

    @Override
    public Optional<TieringLease> request() {
      if (down) {
        throw LakestreamException.of(
            ErrorCode.CLUSTER_UNREACHABLE, address, "nobody answers.", "Start it.");
      }
      return Optional.ofNullable(waiting.poll());
    }

    @Override
    public void renew(TieringLease lease) {
      calls.add("renew " + lease.path() + " at " + address);
    }

    @Override
    public void finish(TieringLease lease, boolean more) {
      calls.add("finish " + lease.path() + " at " + address + " " + more);
    }

    @Override
    public void giveBack(TieringLease lease) {
      calls.add("give back " + lease.path() + " at " + address);
    }
  }

  private void listed(Cluster cluster, TablePath path, String name) {
    LeasedCatalogTables.Collector found = new LeasedCatalogTables.Collector();
    found.add(cluster.address, cluster, path, name);
    tables.update(found);
  }

  private void bothListed() {
    LeasedCatalogTables.Collector found = new LeasedCatalogTables.Collector();
    found.add(east.address, east, ORDERS, "e.shop.orders");
    found.add(west.address, west, ORDERS, "w.shop.orders");
    tables.update(found);
  }

  private List<String> given(int requests) {
    return Stream.generate(tables::request)
        .limit(requests)
        .map(table -> table.map(LeasedTable::name).orElse("none"))
        .toList();
  }

  @Test
  void aGivenTableIsTieredByItsLeaseAndToldToItsCluster() {
    listed(east, ORDERS, "e.shop.orders");
    east.offers(ORDERS, 9);
    LeasedTable table = tables.request().orElseThrow();
    assertThat(table.name()).isEqualTo("e.shop.orders");
    assertThat(table.owner().lease().tableId()).isEqualTo(9);
    table.leases().renew(table.lease());
    table.leases().finish(table.lease(), true);
    table.leases().giveBack(table.lease());
    assertThat(calls)
        .containsExactly(
            "renew shop.orders at east",
            "finish shop.orders at east true",
            "give back shop.orders at east");
    assertThat(tables.request()).isEmpty();
  }

  @Test
  void aTableThatIsNotListedGoesBackAtOnce() {
    listed(east, ORDERS, "e.shop.orders");
    east.offers(CLICKS, 8);
    east.offers(ORDERS, 9);
    assertThat(given(2)).containsExactly("none", "e.shop.orders");
    assertThat(calls).containsExactly("give back web.clicks at east");
  }

  @Test
  void noClusterIsAskedOfWhichNoTableIsListed() {
    east.offers(ORDERS, 9);
    assertThat(tables.request()).isEmpty();
    assertThat(east.waiting).hasSize(1);
    assertThat(calls).isEmpty();
  }

  @Test
  void clustersTakeTurns() {
    bothListed();
    for (int id = 0; id < 2; id++) {
      east.offers(ORDERS, id);
      west.offers(ORDERS, id);
    }
    assertThat(given(5))
        .containsExactly(
            "e.shop.orders", "w.shop.orders", "e.shop.orders", "w.shop.orders", "none");
  }

  @Test
  void aClusterThatIsDownStopsNoOther() {
    bothListed();
    east.down = true;
    west.offers(ORDERS, 1);
    assertThat(given(2)).containsExactly("w.shop.orders", "none");
  }
}
