package io.lakestream.spark.it.harness;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.rpc.gateway.CoordinatorGateway;
import org.apache.fluss.rpc.messages.CommitLakeTableSnapshotRequest;
import org.apache.fluss.rpc.messages.PbTableOffsets;
import org.apache.fluss.rpc.messages.PrepareLakeTableSnapshotRequest;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** A lake that Hudi's own Spark writer wrote, reported to the cluster as if it were a round's. */
public final class ForeignLake {
  private ForeignLake() {}

  /**
   * Writes rows as the lake of a table and reports everything in its log as tiered.
   *
   * @param table an unpartitioned table with one bucket and no lake yet
   * @param rows the rows that the table's log holds, in offset order
   * @param systemColumns whether the lake has {@code __bucket}, {@code __offset} and {@code
   *     __timestamp} after the user's columns
   */
  public static void write(
      Environment environment, TestTable table, List<Row> rows, boolean systemColumns)
      throws Exception {
    TableInfo info = table.info();
    StructType schema = ExpectedTypes.struct(info.getRowType());
    List<Row> lakeRows = rows;
    if (systemColumns) {
      schema =
          schema
              .add("__bucket", DataTypes.IntegerType)
              .add("__offset", DataTypes.LongType)
              .add("__timestamp", DataTypes.TimestampType);
      lakeRows = withSystemColumns(rows);
    }
    boolean keyed = info.hasPrimaryKey();
    DataFrameWriter<Row> writer =
        environment
            .spark()
            .createDataFrame(lakeRows, schema)
            .coalesce(1)
            .write()
            .format("hudi")
            .option("hoodie.table.name", info.getTablePath().getTableName())
            .option("hoodie.datasource.write.table.type", keyed ? "MERGE_ON_READ" : "COPY_ON_WRITE")
            .option("hoodie.datasource.write.operation", keyed ? "upsert" : "insert")
            .option("hoodie.datasource.write.recordkey.field", schema.fieldNames()[0])
            .option("hoodie.datasource.write.partitionpath.field", "")
            .option(
                "hoodie.datasource.write.keygenerator.class",
                "org.apache.hudi.keygen.NonpartitionedKeyGenerator")
            .option("hoodie.index.type", "BUCKET")
            .option("hoodie.bucket.index.num.buckets", "1")
            .option("hoodie.table.timeline.timezone", "UTC")
            .mode(SaveMode.Append);
    writer.save(table.lakeDirectory().toString());
    report(environment, table, info, newestInstant(table));
  }

  private static List<Row> withSystemColumns(List<Row> rows) {
    List<Row> result = new ArrayList<>();
    for (Row row : rows) {
      Object[] values = new Object[row.size() + 3];
      for (int i = 0; i < row.size(); i++) {
        values[i] = row.get(i);
      }
      values[row.size()] = 0;
      values[row.size() + 1] = (long) result.size();
      values[row.size() + 2] = Instant.EPOCH;
      result.add(RowFactory.create(values));
    }
    return result;
  }

  /** The requested time of the only finished commit; its file is named by it. */
  private static long newestInstant(TestTable table) {
    String newest =
        table.timelineFiles().stream()
            .filter(name -> name.contains("_"))
            .max(Comparator.naturalOrder())
            .orElseThrow();
    return Long.parseLong(newest.substring(0, newest.indexOf('_')));
  }

  private static void report(
      Environment environment, TestTable table, TableInfo info, long snapshotId) throws Exception {
    Map<Integer, Long> ends = table.logEnd();
    CoordinatorGateway gateway =
        ((FlussConnection) environment.connection())
            .getMetadataUpdater()
            .newCoordinatorServerClient();
    PrepareLakeTableSnapshotRequest prepare = new PrepareLakeTableSnapshotRequest();
    PbTableOffsets offsets = prepare.addBucketOffset().setTableId(info.getTableId());
    offsets
        .setTablePath()
        .setDatabaseName(info.getTablePath().getDatabaseName())
        .setTableName(info.getTablePath().getTableName());
    ends.forEach(
        (bucket, end) -> offsets.addBucketOffset().setBucketId(bucket).setLogEndOffset(end));
    String path =
        Environment.await(gateway.prepareLakeTableSnapshot(prepare))
            .getPrepareLakeTableRespsList()
            .get(0)
            .getLakeTableOffsetsPath();
    CommitLakeTableSnapshotRequest commit = new CommitLakeTableSnapshotRequest();
    commit
        .addLakeTableSnapshotMetadata()
        .setTableId(info.getTableId())
        .setSnapshotId(snapshotId)
        .setTieredBucketOffsetsFilePath(path)
        .setReadableBucketOffsetsFilePath(path);
    Environment.await(gateway.commitLakeTableSnapshot(commit));
  }
}
