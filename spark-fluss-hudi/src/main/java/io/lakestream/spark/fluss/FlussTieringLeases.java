package io.lakestream.spark.fluss;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.TieringLease;
import io.lakestream.spark.log.TieringLeases;
import io.lakestream.spark.types.TablePath;
import java.util.Optional;
import org.apache.fluss.rpc.messages.LakeTieringHeartbeatRequest;
import org.apache.fluss.rpc.messages.LakeTieringHeartbeatResponse;
import org.apache.fluss.rpc.messages.PbHeartbeatReqForTable;
import org.apache.fluss.rpc.messages.PbHeartbeatRespForTable;
import org.apache.fluss.rpc.messages.PbLakeTieringTableInfo;

/**
 * The tiering heartbeat of the coordinator, by which Fluss's own service on Flink gets its tables,
 * too. The coordinator answers each part of a request for itself.
 */
final class FlussTieringLeases implements TieringLeases {
  private final String address;
  private final Requests requests;

  FlussTieringLeases(String address, Requests requests) {
    this.address = address;
    this.requests = requests;
  }

  @Override
  public Optional<TieringLease> request() {
    LakeTieringHeartbeatResponse answer =
        heartbeat(
            address,
            "ask for a table to tier",
            new LakeTieringHeartbeatRequest().setRequestTable(true));
    if (!answer.hasTieringTable()) {
      return Optional.empty();
    }
    PbLakeTieringTableInfo table = answer.getTieringTable();
    return Optional.of(
        new TieringLease(
            new TablePath(
                table.getTablePath().getDatabaseName(), table.getTablePath().getTableName()),
            table.getTableId(),
            table.getTieringEpoch(),
            answer.getCoordinatorEpoch()));
  }

  @Override
  public void renew(TieringLease lease) {
    LakeTieringHeartbeatRequest request = new LakeTieringHeartbeatRequest();
    describe(lease, request.addTieringTable());
    String action = "renew the tiering lease";
    check(lease, action, heartbeat(lease.path(), action, request).getTieringTableRespAt(0));
  }

  @Override
  public void finish(TieringLease lease, boolean more) {
    LakeTieringHeartbeatRequest request = new LakeTieringHeartbeatRequest();
    describe(lease, request.addFinishedTable());
    if (more) {
      request.addForceFinishedTable(lease.tableId());
    }
    String action = "end the tiering lease";
    check(lease, action, heartbeat(lease.path(), action, request).getFinishedTableRespAt(0));
  }

  @Override
  public void giveBack(TieringLease lease) {
    LakeTieringHeartbeatRequest request = new LakeTieringHeartbeatRequest();
    describe(lease, request.addFailedTable());
    String action = "give the tiering lease back";
    check(lease, action, heartbeat(lease.path(), action, request).getFailedTableRespAt(0));
  }

  private LakeTieringHeartbeatResponse heartbeat(
      Object subject, String action, LakeTieringHeartbeatRequest request) {
    return requests.async(
        subject,
        action,
        connection ->
            connection
                .getMetadataUpdater()
                .newCoordinatorServerClient()
                .lakeTieringHeartbeat(request));
  }

  private static void describe(TieringLease lease, PbHeartbeatReqForTable table) {
    table
        .setTableId(lease.tableId())
        .setCoordinatorEpoch(lease.coordinatorEpoch())
        .setTieringEpoch(lease.tieringEpoch());
  }

  private static void check(TieringLease lease, String action, PbHeartbeatRespForTable answer) {
    if (answer.hasError()) {
      throw LakestreamException.of(
          ErrorCode.TIERING_CONFLICT,
          lease.path(),
          "the coordinator refuses to "
              + action
              + " of tiering epoch "
              + lease.tieringEpoch()
              + " and coordinator epoch "
              + lease.coordinatorEpoch()
              + ": "
              + answer.getError().getErrorMessage(),
          "Nothing needs to be done: the coordinator gives the table out again.");
    }
  }
}
