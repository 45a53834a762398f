package io.lakestream.spark.hudi;

import io.lakestream.spark.types.BatchIterator;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.parquet.ParquetReadSupport;
import org.apache.spark.sql.execution.datasources.parquet.ParquetReadSupport$;
import org.apache.spark.sql.execution.datasources.parquet.ParquetWriteSupport;
import org.apache.spark.sql.execution.datasources.parquet.VectorizedParquetRecordReader;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Option;

/**
 * Reads a base file with Spark's vectorized Parquet reader. The reader is driven directly, not
 * through Spark's file format, because that one takes no adapted footer and needs a session.
 *
 * <p>Values are never rebased to another calendar: Hudi's Flink writer and ours write the proleptic
 * Gregorian calendar and leave no mark of it in the footer.
 */
final class BaseFileIterator implements BatchIterator {
  private static final String NO_REBASE = "CORRECTED";
  private static final String UNUSED_REBASE_ZONE = "UTC";
  private static final int BATCH_ROWS = 4096;

  private final VectorizedParquetRecordReader reader;
  private ColumnarBatch current;
  private boolean done;

  private BaseFileIterator(VectorizedParquetRecordReader reader) {
    this.reader = reader;
  }

  /**
   * Opens the row groups of a footer.
   *
   * @param columns what to read, by exact name; every field nullable, so that a column that the
   *     file lacks reads as null
   */
  static BaseFileIterator open(
      Configuration conf, Path path, long length, ParquetMetadata footer, StructType columns)
      throws IOException {
    VectorizedParquetRecordReader reader =
        new VectorizedParquetRecordReader(
            null, NO_REBASE, UNUSED_REBASE_ZONE, NO_REBASE, UNUSED_REBASE_ZONE, false, BATCH_ROWS);
    try {
      reader.initialize(
          new FileSplit(path, 0, length, new String[0]),
          new TaskAttemptContextImpl(readConf(conf, columns), new TaskAttemptID()),
          Option.apply(footer));
      reader.initBatch(new StructType(), InternalRow.empty());
      reader.enableReturningBatches();
      return new BaseFileIterator(reader);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      reader.close();
      throw new IOException("interrupted while opening " + path, e);
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  /** The settings that the reader takes from its configuration instead of from a session. */
  private static Configuration readConf(Configuration conf, StructType columns) {
    Configuration read = new Configuration(conf);
    read.set(ParquetInputFormat.READ_SUPPORT_CLASS, ParquetReadSupport.class.getName());
    read.set(ParquetReadSupport$.MODULE$.SPARK_ROW_REQUESTED_SCHEMA(), columns.json());
    read.set(ParquetWriteSupport.SPARK_ROW_SCHEMA(), columns.json());
    read.setBoolean(SQLConf.CASE_SENSITIVE().key(), true);
    read.setBoolean(SQLConf.NESTED_SCHEMA_PRUNING_ENABLED().key(), true);
    read.setBoolean(SQLConf.PARQUET_BINARY_AS_STRING().key(), false);
    read.setBoolean(SQLConf.PARQUET_INT96_AS_TIMESTAMP().key(), true);
    read.setBoolean(SQLConf.PARQUET_INFER_TIMESTAMP_NTZ_ENABLED().key(), true);
    read.setBoolean(SQLConf.PARQUET_FIELD_ID_READ_ENABLED().key(), false);
    read.setBoolean(SQLConf.LEGACY_PARQUET_NANOS_AS_LONG().key(), false);
    return read;
  }

  @Override
  public boolean next() throws IOException {
    if (done) {
      return false;
    }
    current = null;
    if (reader.nextBatch()) {
      current = reader.resultBatch();
      return true;
    }
    done = true;
    return false;
  }

  @Override
  public ColumnarBatch get() {
    return current;
  }

  @Override
  public void close() throws IOException {
    done = true;
    current = null;
    reader.close();
  }
}
