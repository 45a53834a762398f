package io.lakestream.spark.hudi;

import io.lakestream.spark.lake.LakeFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.common.model.DeleteRecord;
import org.apache.hudi.common.model.HoodieLogFile;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.model.HoodieRecord.HoodieRecordType;
import org.apache.hudi.common.table.log.HoodieLogFileReader;
import org.apache.hudi.common.table.log.block.HoodieDataBlock;
import org.apache.hudi.common.table.log.block.HoodieDeleteBlock;
import org.apache.hudi.common.table.log.block.HoodieLogBlock;
import org.apache.hudi.common.table.log.block.HoodieLogBlock.HeaderMetadataType;
import org.apache.hudi.common.table.log.block.HoodieLogBlock.HoodieLogBlockContentLocation;
import org.apache.hudi.common.util.collection.ClosableIterator;
import org.apache.hudi.exception.HoodieNotSupportedException;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.HoodieStorageUtils;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.hadoop.HadoopStorageConfiguration;

/**
 * Reads the blocks of a log file through Hudi's log reader, whose constructor and block classes
 * differ between Hudi 1.1 and 1.2. The content of Avro data blocks is taken as bytes; that of
 * Parquet and HFile blocks is decoded by Hudi and encoded again, so that there is one decoder.
 */
final class LogFiles {
  private static final int BUFFER_BYTES = 1 << 20;

  private LogFiles() {}

  /**
   * All blocks of a log file, in order.
   *
   * @throws HoodieNotSupportedException for a block of a kind that cannot be read exactly
   * @throws IOException if the file cannot be read, or a block is damaged
   */
  static List<LogBlock> read(Configuration conf, LakeFile file) throws IOException {
    StoragePath path = new StoragePath(file.path());
    HoodieStorage storage =
        HoodieStorageUtils.getStorage(path, new HadoopStorageConfiguration(conf));
    List<LogBlock> blocks = new ArrayList<>();
    Path hadoopPath = new Path(file.path());
    requireWhole(hadoopPath.getFileSystem(conf).getFileStatus(hadoopPath).getLen(), file);
    try (HoodieLogFileReader reader =
            new HoodieLogFileReader(
                storage, new HoodieLogFile(path, file.length()), null, BUFFER_BYTES);
        FSDataInputStream content = hadoopPath.getFileSystem(conf).open(hadoopPath)) {
      while (reader.hasNext()) {
        blocks.add(block(reader.next(), content, file));
      }
    }
    return blocks;
  }

  /** Hudi's reader takes a file that was cut between two blocks for a file of fewer blocks. */
  private static void requireWhole(long length, LakeFile file) throws IOException {
    if (length < file.length()) {
      throw new IOException(
          "log file " + file.path() + " has " + length + " of " + file.length() + " bytes");
    }
  }

  private static LogBlock block(HoodieLogBlock block, FSDataInputStream content, LakeFile file)
      throws IOException {
    String instant = block.getLogBlockHeader().get(HeaderMetadataType.INSTANT_TIME);
    return switch (block.getBlockType()) {
      case AVRO_DATA_BLOCK ->
          new LogBlock.Rows(
              instant, schema(block), EncodedRecords.ofBlock(content(block, content)));
      case PARQUET_DATA_BLOCK, HFILE_DATA_BLOCK -> decoded(instant, (HoodieDataBlock) block);
      case DELETE_BLOCK ->
          new LogBlock.Deletes(
              instant,
              Arrays.stream(((HoodieDeleteBlock) block).getRecordsToDelete())
                  .map(DeleteRecord::getRecordKey)
                  .toList());
      case COMMAND_BLOCK ->
          new LogBlock.Rollback(
              instant, block.getLogBlockHeader().get(HeaderMetadataType.TARGET_INSTANT_TIME));
      case CORRUPT_BLOCK -> throw new IOException("damaged block in log file " + file.path());
      case CDC_DATA_BLOCK ->
          throw new HoodieNotSupportedException("change-capture block in " + file.path());
    };
  }

  private static Schema schema(HoodieLogBlock block) {
    if (((HoodieDataBlock) block).containsPartialUpdates()) {
      throw new HoodieNotSupportedException("partial updates");
    }
    return new Schema.Parser()
        .setValidateDefaults(false)
        .parse(block.getLogBlockHeader().get(HeaderMetadataType.SCHEMA));
  }

  private static byte[] content(HoodieLogBlock block, FSDataInputStream in) throws IOException {
    HoodieLogBlockContentLocation location = block.getBlockContentLocation().get();
    byte[] bytes = new byte[Math.toIntExact(location.getBlockSize())];
    in.readFully(location.getContentPositionInLogFile(), bytes);
    return bytes;
  }

  private static LogBlock decoded(String instant, HoodieDataBlock block) throws IOException {
    Schema schema = schema(block);
    try (ClosableIterator<HoodieRecord<IndexedRecord>> records =
        block.getRecordIterator(HoodieRecordType.AVRO)) {
      Iterator<IndexedRecord> data =
          new Iterator<>() {
            @Override
            public boolean hasNext() {
              return records.hasNext();
            }

            @Override
            public IndexedRecord next() {
              return records.next().getData();
            }
          };
      return new LogBlock.Rows(instant, schema, EncodedRecords.of(schema, data));
    }
  }
}
