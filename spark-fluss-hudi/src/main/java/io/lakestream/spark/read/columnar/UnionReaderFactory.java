package io.lakestream.spark.read.columnar;

import io.lakestream.spark.lake.LakeReaderFactory;
import io.lakestream.spark.log.LogReaderFactory;
import io.lakestream.spark.read.plan.UnionSplit;
import io.lakestream.spark.spill.SpillSpace;
import io.lakestream.spark.types.BatchIterator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Makes the reader of a split in a task; always columnar. It is sent to every task, so it holds
 * values only.
 *
 * @param lake reads the lake, or null if the snapshot has none
 * @param log reads the log
 * @param wanted the columns that Spark asked for
 * @param keys the primary-key columns, empty for a log table
 * @param batchSize the most rows of a batch that is built from rows
 * @param taskLimit the rows after which a task may stop
 * @param tailMemory how much of a bucket's tail a task holds in memory
 */
public record UnionReaderFactory(
    LakeReaderFactory lake,
    LogReaderFactory log,
    StructType wanted,
    List<StructField> keys,
    int batchSize,
    int taskLimit,
    TailMemory tailMemory)
    implements PartitionReaderFactory {
  public UnionReaderFactory {
    keys = List.copyOf(keys);
    batchSize = Math.max(1, Math.min(batchSize, taskLimit));
  }

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return true;
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    throw new UnsupportedOperationException("lakestream reads are columnar");
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    ReadCounters counters = new ReadCounters();
    UnionSplit split = ((UnionInputPartition) partition).split();
    try {
      return new UnionPartitionReader(
          new LimitedBatches(open(split, counters), taskLimit), counters);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private BatchIterator open(UnionSplit split, ReadCounters counters) throws IOException {
    if (split instanceof UnionSplit.LakeSplit lakeSplit) {
      List<SequentialBatches.Opener> openers = new ArrayList<>();
      for (UnionSplit.FilePart part : lakeSplit.parts()) {
        openers.add(
            () ->
                new CountedLakeBatches(
                    lake.openBase(part.file(), part.start(), part.length(), wanted, false),
                    counters));
      }
      return new SequentialBatches(openers.iterator());
    }
    if (split instanceof UnionSplit.LogSplit logSplit) {
      return new LogBatchIterator(log.open(logSplit.range(), wanted), wanted, batchSize, counters);
    }
    return new PrimaryKeyOverlayReader(
        (UnionSplit.OverlaySplit) split,
        lake,
        log,
        wanted,
        keys,
        batchSize,
        tailMemory,
        SpillSpace::ofSpark,
        counters);
  }
}
