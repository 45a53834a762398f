package io.lakestream.spark.hudi;

import io.lakestream.spark.lake.LakeBucketWriter;
import io.lakestream.spark.lake.LakeWriteResult;
import io.lakestream.spark.lake.LakeWriteSplit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hudi.client.WriteStatus;
import org.apache.hudi.common.engine.HoodieLocalEngineContext;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.hudi.io.storage.row.HoodieRowCreateHandle;
import org.apache.hudi.table.HoodieSparkTable;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Writes the rows of a split into the base file of a new file group, opened at the first row. */
final class HudiBaseFileWriter implements LakeBucketWriter {
  private final HudiWriteClients clients;
  private final LakeRowEncoder encoder;
  private final LakeWriteSplit split;
  private final String partitionPath;
  private final JoinedRow joined = new JoinedRow();
  private final GenericInternalRow meta =
      new GenericInternalRow(HoodieRecord.HOODIE_META_COLUMNS.size());

  private HoodieRowCreateHandle handle;
  private long rows;

  HudiBaseFileWriter(
      HudiWriteClients clients, LakeRowEncoder encoder, LakeWriteSplit split, String partition) {
    this.clients = clients;
    this.encoder = encoder;
    this.split = split;
    this.partitionPath = partition;
    meta.update(HoodieRecord.PARTITION_PATH_META_FIELD_ORD, UTF8String.fromString(partitionPath));
  }

  @Override
  public void write(InternalRow row, long offset, long timestamp) throws IOException {
    InternalRow encoded = encoder.encode(row, offset, timestamp);
    meta.update(
        HoodieRecord.RECORD_KEY_META_FIELD_ORD, UTF8String.fromString(encoder.recordKey(encoded)));
    InternalRow whole = joined.apply(meta, encoded);
    if (handle == null) {
      handle = RebaseFreeWrite.call(this::open);
    }
    handle.write(whole);
    rows++;
  }

  /** A key that the lake has never seen needs no delete. */
  @Override
  public void delete(InternalRow row) {}

  @Override
  public LakeWriteResult finish() throws IOException {
    List<WriteStatus> statuses = new ArrayList<>();
    if (handle != null) {
      statuses.add(handle.close());
      handle = null;
    }
    return new LakeWriteResult(
        split, rows, 0, HudiWriteStats.bytes(statuses), HudiWriteStats.write(statuses));
  }

  @Override
  public void close() throws IOException {
    if (handle != null) {
      handle.close();
      handle = null;
    }
  }

  private HoodieRowCreateHandle open() {
    HoodieWriteConfig config = clients.writeConfig();
    HoodieTableMetaClient metaClient = clients.metaClient();
    HoodieSparkTable<Object> table =
        HoodieSparkTable.create(
            config, new HoodieLocalEngineContext(metaClient.getStorageConf()), metaClient);
    TaskContext task = TaskContext.get();
    return new HoodieRowCreateHandle(
        table,
        config,
        partitionPath,
        BucketFileIds.of(split.bucket().bucket(), split.round() + "/" + split.index()),
        split.instant(),
        task.partitionId(),
        task.taskAttemptId(),
        0,
        LakeRowLayout.withMetaColumns(encoder.dataColumns()));
  }
}
