package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.TieringLease;
import io.lakestream.spark.log.TieringLeases;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tables whose rounds their cluster schedules: never tiered without its lease. */
class TableOwnerTest extends TieringRoundTestBase {
  private boolean voidLease;

  @Test
  void aTableThatItsClusterSchedulesIsRefusedWithoutALease() {
    cluster.table = TestTables.scheduledByCluster(cluster.table);
    assertFails(this::run, ErrorCode.TIERING_REFUSED, "table.datalake.enabled=true");
    assertThat(operations).isEmpty();
  }

  @Test
  void aTableThatItsClusterTakesBackDuringARoundIsNotCommitted() {
    append(FIRST, 1, "a");
    transport =
        results -> {
          cluster.table = TestTables.scheduledByCluster(cluster.table);
          return results;
        };
    assertFails(this::run, ErrorCode.TIERING_REFUSED, "table.datalake.enabled=true");
    assertThat(operations).contains("rollback " + INSTANT).doesNotContain("commit " + INSTANT);
  }

  @Test
  void aLeaseIsShownToTheClusterBeforeARoundAndBeforeItsCommit() {
    cluster.table = TestTables.scheduledByCluster(cluster.table);
    append(FIRST, 1, "a");
    owner = new LeaseOwner(leases(), lease(cluster.table.tableId()));
    run();
    assertThat(operations).startsWith("renew 5").containsSubsequence("write", "renew 5");
    assertThat(operations.indexOf("commit " + INSTANT))
        .isGreaterThan(operations.lastIndexOf("renew 5"));
  }

  @Test
  void aRoundWhoseLeaseIsVoidAtItsCommitIsRolledBack() {
    cluster.table = TestTables.scheduledByCluster(cluster.table);
    append(FIRST, 1, "a");
    owner = new LeaseOwner(leases(), lease(cluster.table.tableId()));
    transport =
        results -> {
          voidLease = true;
          return results;
        };
    assertFails(this::run, ErrorCode.TIERING_CONFLICT, "void");
    assertThat(operations).contains("rollback " + INSTANT).doesNotContain("commit " + INSTANT);
  }

  @Test
  void aLeaseOfAnotherTableIdIsRefused() {
    cluster.table = TestTables.scheduledByCluster(cluster.table);
    owner = new LeaseOwner(leases(), lease(cluster.table.tableId() + 1));
    assertFails(this::run, ErrorCode.TABLE_REPLACED, "id 8", "id 7");
    assertThat(operations).isEmpty();
  }

  private static TieringLease lease(long tableId) {
    return new TieringLease(TestTables.log(2).path(), tableId, 5, 1);
  }

  private TieringLeases leases() {
    return new TieringLeases() {
      @Override
      public Optional<TieringLease> request() {
        throw new UnsupportedOperationException();
      }

      @Override
      public void renew(TieringLease lease) {
        operations.add("renew " + lease.tieringEpoch());
        if (voidLease) {
          throw LakestreamException.of(
              ErrorCode.TIERING_CONFLICT, lease.path(), "the lease is void.", "Wait.");
        }
      }

      @Override
      public void finish(TieringLease lease, boolean more) {
        throw new UnsupportedOperationException();
      }

      @Override
      public void giveBack(TieringLease lease) {
        throw new UnsupportedOperationException();
      }
    };
  }
}
