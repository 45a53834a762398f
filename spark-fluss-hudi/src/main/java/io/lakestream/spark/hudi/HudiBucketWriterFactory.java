package io.lakestream.spark.hudi;

import io.lakestream.spark.lake.LakeBucketWriter;
import io.lakestream.spark.lake.LakeBucketWriterFactory;
import io.lakestream.spark.lake.LakeWriteSplit;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.util.List;

/** Opens Hudi's write handles in tasks. */
record HudiBucketWriterFactory(
    HudiWriteClients clients,
    TablePath table,
    TableSchema schema,
    List<String> recordKey,
    PartitionPaths partitionPaths,
    RecordKeys.Purpose keys)
    implements LakeBucketWriterFactory {

  @Override
  public LakeBucketWriter open(LakeWriteSplit split) {
    LakeRowEncoder encoder =
        new LakeRowEncoder(
            schema,
            new RecordKeys(table, keys, schema, recordKey, partitionPaths.depth()),
            split.bucket().bucket());
    String partitionPath = partitionPaths.format(split.bucket().partition());
    return split.fileGroup() == null
        ? new HudiBaseFileWriter(clients, encoder, split, partitionPath)
        : new HudiLogFileWriter(clients, encoder, split, partitionPath);
  }
}
