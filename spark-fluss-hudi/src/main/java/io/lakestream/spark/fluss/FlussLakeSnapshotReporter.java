package io.lakestream.spark.fluss;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LakeSnapshotReporter;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogTable;
import java.util.Map;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.rpc.gateway.CoordinatorGateway;
import org.apache.fluss.rpc.messages.CommitLakeTableSnapshotRequest;
import org.apache.fluss.rpc.messages.PbBucketOffset;
import org.apache.fluss.rpc.messages.PbCommitLakeTableSnapshotRespForTable;
import org.apache.fluss.rpc.messages.PbLakeTableOffsetForBucket;
import org.apache.fluss.rpc.messages.PbLakeTableSnapshotInfo;
import org.apache.fluss.rpc.messages.PbPrepareLakeTableRespForTable;
import org.apache.fluss.rpc.messages.PbTableOffsets;
import org.apache.fluss.rpc.messages.PrepareLakeTableSnapshotRequest;

/**
 * The lake snapshot calls of the coordinator, which Fluss's client offers to its own tiering
 * service only: the one place that speaks its wire messages. As in rounds of Fluss's own service on
 * Hudi, the server keeps the offsets file of the newest snapshot only.
 */
final class FlussLakeSnapshotReporter implements LakeSnapshotReporter {
  private final Requests requests;
  private final LogTable table;

  FlussLakeSnapshotReporter(Requests requests, LogTable table) {
    this.requests = requests;
    this.table = table;
  }

  @Override
  public String prepare(Map<LogBucket, Long> offsets) {
    PrepareLakeTableSnapshotRequest request = new PrepareLakeTableSnapshotRequest();
    // By default the server merges the offsets before, even those of dropped partitions.
    request.setIgnorePreviousTableOffsets(true);
    PbTableOffsets tableOffsets = request.addBucketOffset().setTableId(table.tableId());
    tableOffsets
        .setTablePath()
        .setDatabaseName(table.path().database())
        .setTableName(table.path().table());
    for (Map.Entry<LogBucket, Long> entry : offsets.entrySet()) {
      PbBucketOffset offset =
          tableOffsets
              .addBucketOffset()
              .setBucketId(entry.getKey().bucket())
              .setLogEndOffset(entry.getValue());
      if (entry.getKey().partitionId() != null) {
        offset.setPartitionId(entry.getKey().partitionId());
      }
    }
    return requests.blocking(
        table.path(),
        "prepare a lake snapshot",
        connection -> {
          requireSameTable(connection);
          PbPrepareLakeTableRespForTable answer =
              coordinator(connection)
                  .prepareLakeTableSnapshot(request)
                  .get()
                  .getPrepareLakeTableRespsList()
                  .get(0);
          if (answer.hasErrorCode()) {
            throw refused("prepare", answer.getErrorCode(), answer.getErrorMessage());
          }
          return answer.getLakeTableOffsetsPath();
        });
  }

  @Override
  public void commit(long snapshotId, String offsetsPath, Map<LogBucket, Long> offsets) {
    CommitLakeTableSnapshotRequest request = new CommitLakeTableSnapshotRequest();
    request
        .addLakeTableSnapshotMetadata()
        .setTableId(table.tableId())
        .setSnapshotId(snapshotId)
        .setTieredBucketOffsetsFilePath(offsetsPath)
        .setReadableBucketOffsetsFilePath(offsetsPath);
    PbLakeTableSnapshotInfo notice =
        request.addTablesReq().setTableId(table.tableId()).setSnapshotId(snapshotId);
    for (Map.Entry<LogBucket, Long> entry : offsets.entrySet()) {
      PbLakeTableOffsetForBucket offset =
          notice
              .addBucketsReq()
              .setBucketId(entry.getKey().bucket())
              .setLogEndOffset(entry.getValue());
      if (entry.getKey().partitionId() != null) {
        offset.setPartitionId(entry.getKey().partitionId());
      }
    }
    requests.blocking(
        table.path(),
        "commit the lake snapshot " + snapshotId,
        connection -> {
          requireSameTable(connection);
          PbCommitLakeTableSnapshotRespForTable answer =
              coordinator(connection)
                  .commitLakeTableSnapshot(request)
                  .get()
                  .getTableRespsList()
                  .get(0);
          if (answer.hasErrorCode()) {
            throw refused("commit", answer.getErrorCode(), answer.getErrorMessage());
          }
          return snapshotId;
        });
  }

  /** The server accepts any table id, even one that never was. */
  private void requireSameTable(FlussConnection connection) throws Exception {
    long actual =
        connection.getAdmin().getTableInfo(FlussTables.path(table.path())).get().getTableId();
    FlussTables.requireSame(table, actual);
  }

  private static CoordinatorGateway coordinator(FlussConnection connection) {
    return connection.getMetadataUpdater().newCoordinatorServerClient();
  }

  private LakestreamException refused(String action, int code, String message) {
    return LakestreamException.of(
        ErrorCode.REQUEST_FAILED,
        table.path(),
        "the coordinator refuses to " + action + " a lake snapshot: error " + code + ", " + message,
        "See the coordinator's log.");
  }
}
