package io.lakestream.spark.hudi;

import io.lakestream.spark.lake.LakeFile;
import io.lakestream.spark.types.BatchIterator;
import io.lakestream.spark.types.SparkTypes;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.client.WriteStatus;
import org.apache.hudi.common.engine.HoodieLocalEngineContext;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.hudi.io.storage.row.HoodieRowCreateHandle;
import org.apache.hudi.storage.hadoop.HadoopStorageConfiguration;
import org.apache.hudi.table.HoodieSparkTable;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Writes the rows of several base files of a bucket into one, in the order of their offsets. The
 * rows keep Hudi's meta columns; they are read as queries read them and written as rounds write
 * them, so that a file of another writer becomes one of ours.
 */
final class FileMerger implements Serializable {
  private static final long serialVersionUID = 1L;

  private final TablePath table;
  private final TableSchema schema;
  private final HoodieWriteConfig config;
  private final String instant;
  private final SerializableConfiguration hadoop;

  FileMerger(
      TablePath table,
      TableSchema schema,
      HoodieWriteConfig config,
      String instant,
      Configuration hadoop) {
    this.table = table;
    this.schema = schema;
    this.config = config;
    this.instant = instant;
    this.hadoop = new SerializableConfiguration(hadoop);
  }

  private record Source(LakeFile file, long firstOffset) {}

  /** Makes a file, in a task. */
  WriteStatus merge(MergedFile merged) throws IOException {
    HudiReaderFactory readers = new HudiReaderFactory(table, instant, schema, hadoop.value());
    List<Source> sources = new ArrayList<>();
    for (String path : merged.sources()) {
      Path location = new Path(path);
      long length = location.getFileSystem(hadoop.value()).getFileStatus(location).getLen();
      LakeFile file = new LakeFile(path, length);
      sources.add(new Source(file, firstOffset(readers, file)));
    }
    sources.sort(Comparator.comparingLong(Source::firstOffset));
    HoodieRowCreateHandle handle = RebaseFreeWrite.call(() -> open(merged));
    long rows = 0;
    WriteStatus status;
    try {
      for (Source source : sources) {
        rows += copy(readers, source.file(), merged, handle);
      }
    } finally {
      status = handle.close();
    }
    if (status.hasErrors() || status.getStat().getNumWrites() != rows) {
      throw new IOException(
          status.getStat().getNumWrites() + " of " + rows + " rows of " + merged + " were written",
          status.getGlobalError());
    }
    return status;
  }

  private static long firstOffset(HudiReaderFactory readers, LakeFile file) throws IOException {
    StructType offset = new StructType().add(LakeAvroSchema.OFFSET_COLUMN, DataTypes.LongType);
    try (BatchIterator batches = readers.openBase(file, 0, file.length(), offset, false)) {
      while (batches.next()) {
        if (batches.get().numRows() > 0) {
          return batches.get().column(0).getLong(0);
        }
      }
    }
    return 0;
  }

  private long copy(
      HudiReaderFactory readers, LakeFile file, MergedFile merged, HoodieRowCreateHandle handle)
      throws IOException {
    int declared = schema.columns().size();
    int meta = declared + LakeAvroSchema.SYSTEM_COLUMNS.size();
    UnsafeProjection projection = LakeRowLayout.projection(schema);
    GenericInternalRow metaColumns =
        new GenericInternalRow(HoodieRecord.HOODIE_META_COLUMNS.size());
    GenericInternalRow system = new GenericInternalRow(LakeAvroSchema.SYSTEM_COLUMNS.size());
    JoinedRow data = new JoinedRow();
    JoinedRow whole = new JoinedRow();
    long rows = 0;
    try (BatchIterator batches = readers.openBase(file, 0, file.length(), readColumns(), false)) {
      while (batches.next()) {
        Iterator<InternalRow> iterator = batches.get().rowIterator();
        while (iterator.hasNext()) {
          InternalRow row = iterator.next();
          for (int i = 0; i < metaColumns.numFields(); i++) {
            metaColumns.update(i, row.getUTF8String(meta + i));
          }
          system.setInt(0, row.getInt(declared));
          system.setLong(1, row.getLong(declared + 1));
          system.setLong(2, row.getLong(declared + 2));
          if (system.getInt(0) != merged.bucket()) {
            throw new IOException(
                file.path() + " has a row of bucket " + system.getInt(0) + " in " + merged);
          }
          handle.write(whole.apply(metaColumns, data.apply(projection.apply(row), system)));
          rows++;
        }
      }
    }
    return rows;
  }

  /** The declared columns, then the system columns, then Hudi's. */
  private StructType readColumns() {
    StructType columns = new StructType();
    for (TableColumn column : schema.columns()) {
      columns = columns.add(column.name(), SparkTypes.toSpark(column.type()));
    }
    columns =
        columns
            .add(LakeAvroSchema.BUCKET_COLUMN, DataTypes.IntegerType)
            .add(LakeAvroSchema.OFFSET_COLUMN, DataTypes.LongType)
            .add(LakeAvroSchema.TIMESTAMP_COLUMN, DataTypes.TimestampType);
    for (String name : HoodieRecord.HOODIE_META_COLUMNS) {
      columns = columns.add(name, DataTypes.StringType);
    }
    return columns;
  }

  private HoodieRowCreateHandle open(MergedFile merged) {
    HadoopStorageConfiguration storage = new HadoopStorageConfiguration(hadoop.value());
    HoodieTableMetaClient client =
        HoodieTableMetaClient.builder().setBasePath(config.getBasePath()).setConf(storage).build();
    HoodieSparkTable<Object> hudi =
        HoodieSparkTable.create(config, new HoodieLocalEngineContext(storage), client);
    TaskContext task = TaskContext.get();
    return new HoodieRowCreateHandle(
        hudi,
        config,
        merged.partitionPath(),
        BucketFileIds.of(merged.bucket(), instant + "/" + merged.index()),
        instant,
        task.partitionId(),
        task.taskAttemptId(),
        0,
        LakeRowLayout.withMetaColumns(LakeRowLayout.dataColumns(schema)),
        true);
  }
}
