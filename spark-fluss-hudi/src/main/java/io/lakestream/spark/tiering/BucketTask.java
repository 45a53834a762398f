package io.lakestream.spark.tiering;

import io.lakestream.spark.lake.LakeBucketWriter;
import io.lakestream.spark.lake.LakeBucketWriterFactory;
import io.lakestream.spark.lake.LakeWriteResult;
import io.lakestream.spark.lake.LakeWriteSplit;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.log.LogReader;
import io.lakestream.spark.log.LogReaderFactory;
import io.lakestream.spark.spill.SpillSpace;
import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;

/**
 * One task of a round: reads a range of one bucket's log and writes it to the same bucket of the
 * lake. Holds values only.
 *
 * @param range the offsets to read; a bucket of a log table may be cut into several ranges, a
 *     bucket of a primary-key table may not
 * @param split what to write
 * @param schema the declared columns
 * @param primaryKey the primary-key columns, empty for a log table
 * @param foldBytes the bytes of changes of a primary-key bucket that are held in memory
 */
record BucketTask(
    LogRange range,
    LakeWriteSplit split,
    TableSchema schema,
    List<String> primaryKey,
    long foldBytes,
    LogReaderFactory readers,
    LakeBucketWriterFactory writers)
    implements Serializable {

  LakeWriteResult run() throws IOException {
    try (LogReader reader = readers.open(range, schema.toSpark());
        LakeBucketWriter writer = writers.open(split)) {
      if (primaryKey.isEmpty()) {
        append(reader, writer);
      } else {
        try (KeyFold fold = new KeyFold(schema, primaryKey, foldBytes, SpillSpace::ofSpark)) {
          while (reader.next()) {
            fold.add(reader.kind(), reader.row(), reader.offset(), reader.timestamp());
          }
          fold.writeTo(writer);
        }
      }
      return writer.finish();
    }
  }

  private void append(LogReader reader, LakeBucketWriter writer) throws IOException {
    while (reader.next()) {
      if (reader.kind() != ChangeKind.INSERT) {
        throw new IOException(
            "a log table has only inserts, but offset "
                + reader.offset()
                + " of "
                + range.where()
                + " is "
                + reader.kind());
      }
      writer.write(reader.row(), reader.offset(), reader.timestamp());
    }
  }
}
