package io.lakestream.spark.hudi;

import io.lakestream.spark.lake.LakeBucketWriter;
import io.lakestream.spark.lake.LakeWriteResult;
import io.lakestream.spark.lake.LakeWriteSplit;
import java.io.IOException;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.hudi.AvroConversionUtils;
import org.apache.hudi.client.SparkTaskContextSupplier;
import org.apache.hudi.client.WriteStatus;
import org.apache.hudi.common.config.TypedProperties;
import org.apache.hudi.common.engine.HoodieLocalEngineContext;
import org.apache.hudi.common.model.HoodieAvroIndexedRecord;
import org.apache.hudi.common.model.HoodieEmptyRecord;
import org.apache.hudi.common.model.HoodieKey;
import org.apache.hudi.common.model.HoodieOperation;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.model.HoodieRecordLocation;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.util.OrderingValues;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.hudi.io.HoodieAppendHandle;
import org.apache.hudi.table.HoodieSparkTable;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Function1;

/** Appends the changes of a split to the log of the bucket's file group, as Avro blocks. */
final class HudiLogFileWriter implements LakeBucketWriter {
  /** What Hudi's writers use as the location's instant of a record in an existing file group. */
  private static final String UPDATE = "U";

  private final HudiWriteClients clients;
  private final LakeRowEncoder encoder;
  private final LakeWriteSplit split;
  private final String partitionPath;
  private final Schema schema;
  private final TypedProperties properties;
  private final Function1<InternalRow, GenericRecord> toAvro;
  private final HoodieAppendHandle<Object, Object, Object, Object> handle;
  private boolean closed;
  private long rows;
  private long deletes;

  HudiLogFileWriter(
      HudiWriteClients clients, LakeRowEncoder encoder, LakeWriteSplit split, String partition) {
    this.clients = clients;
    this.encoder = encoder;
    this.split = split;
    this.partitionPath = partition;
    HoodieWriteConfig config = clients.writeConfig();
    this.schema = new Schema.Parser().parse(clients.avroSchema());
    this.properties = config.getProps();
    this.toAvro =
        RebaseFreeWrite.call(
            () ->
                AvroConversionUtils.createInternalRowToAvroConverter(
                    encoder.dataColumns(), schema, false));
    this.handle = open(config);
  }

  @Override
  public void write(InternalRow row, long offset, long timestamp) {
    InternalRow encoded = encoder.encode(row, offset, timestamp);
    HoodieKey key = new HoodieKey(encoder.recordKey(encoded), partitionPath);
    append(new HoodieAvroIndexedRecord(key, toAvro.apply(encoded)));
    rows++;
  }

  @Override
  public void delete(InternalRow row) {
    encoder.deletedKey(encoder.encode(row, 0, 0)).ifPresent(this::deleteKey);
  }

  private void deleteKey(String key) {
    append(
        new HoodieEmptyRecord<>(
            new HoodieKey(key, partitionPath),
            HoodieOperation.DELETE,
            OrderingValues.getDefault(),
            HoodieRecord.HoodieRecordType.AVRO));
    deletes++;
  }

  @Override
  public LakeWriteResult finish() throws IOException {
    List<WriteStatus> statuses = written() ? handle.close() : List.of();
    closed = true;
    return new LakeWriteResult(
        split, rows, deletes, HudiWriteStats.bytes(statuses), HudiWriteStats.write(statuses));
  }

  @Override
  public void close() {
    if (!closed && written()) {
      handle.close();
    }
    closed = true;
  }

  private boolean written() {
    return rows + deletes > 0;
  }

  private void append(HoodieRecord<?> record) {
    record.unseal();
    record.setCurrentLocation(new HoodieRecordLocation(UPDATE, split.fileGroup()));
    record.seal();
    handle.write(record, schema, properties);
  }

  private HoodieAppendHandle<Object, Object, Object, Object> open(HoodieWriteConfig config) {
    HoodieTableMetaClient metaClient = clients.metaClient();
    HoodieSparkTable<Object> table =
        HoodieSparkTable.create(
            config, new HoodieLocalEngineContext(metaClient.getStorageConf()), metaClient);
    @SuppressWarnings({"unchecked", "rawtypes"})
    HoodieAppendHandle<Object, Object, Object, Object> opened =
        new HoodieAppendHandle(
            config,
            split.instant(),
            table,
            partitionPath,
            split.fileGroup(),
            new SparkTaskContextSupplier());
    return opened;
  }
}
