package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeChanges;
import io.lakestream.spark.lake.LakeFile;
import io.lakestream.spark.lake.LakeReaderFactory;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.types.BatchIterator;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.exception.HoodieException;
import org.apache.hudi.exception.HoodieNotSupportedException;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;

/** Reads files of a Hudi table in tasks. Holds values only. */
final class HudiReaderFactory implements LakeReaderFactory {
  private static final long serialVersionUID = 1L;
  private static final String RECORD_KEY = HoodieRecord.RECORD_KEY_METADATA_FIELD;

  private final TablePath table;
  private final String instant;
  private final TableSchema schema;
  private final SerializableConfiguration conf;

  HudiReaderFactory(TablePath table, String instant, TableSchema schema, Configuration conf) {
    this.table = table;
    this.instant = instant;
    this.schema = schema;
    this.conf = new SerializableConfiguration(conf);
  }

  @Override
  public BatchIterator openBase(
      LakeFile file, long start, long length, StructType columns, boolean recordKey)
      throws IOException {
    return BaseFileBatches.open(
        () -> open(file, start, length, columns, recordKey), error -> failure(file, error));
  }

  private BatchIterator open(
      LakeFile file, long start, long length, StructType columns, boolean recordKey)
      throws IOException {
    Configuration hadoop = conf.value();
    Path path = new Path(file.path());
    ParquetMetadata footer = ParquetFooter.read(hadoop, path, start, length, schema);
    if (columns.isEmpty() && !recordKey) {
      return new RowCountIterator(ParquetFooter.rowCount(footer));
    }
    StructType wanted = columns.asNullable();
    if (recordKey) {
      requireRecordKeys(file, footer);
      wanted = wanted.add(RECORD_KEY, DataTypes.StringType, true);
    }
    return BaseFileIterator.open(hadoop, path, file.length(), footer, wanted);
  }

  @Override
  public LakeChanges openChanges(LakeSlice slice, StructType columns) throws IOException {
    List<LogBlock> blocks = new ArrayList<>();
    for (LakeFile file : slice.logFiles()) {
      try {
        blocks.addAll(LogFiles.read(conf.value(), file));
      } catch (HoodieNotSupportedException e) {
        throw LakestreamException.of(
            ErrorCode.LAKE_UNSUPPORTED,
            table,
            "log file " + file.path() + " cannot be read exactly: " + e.getMessage() + ".",
            "Compact the table with the writer that made it.",
            e);
      } catch (IOException | HoodieException e) {
        throw failure(file, e);
      }
    }
    try {
      return new LogChanges(blocks, columns, schema);
    } catch (IllegalArgumentException e) {
      throw LakestreamException.of(
          ErrorCode.SCHEMA_MISMATCH,
          table,
          "the log files of file group " + slice.fileId() + " do not fit: " + e.getMessage() + ".",
          "Both tiers must have the same columns; check that the table was changed through Fluss"
              + " only.",
          e);
    }
  }

  private void requireRecordKeys(LakeFile file, ParquetMetadata footer) {
    if (!footer.getFileMetaData().getSchema().containsField(RECORD_KEY)) {
      throw LakestreamException.of(
          ErrorCode.LAKE_UNSUPPORTED,
          table,
          "file " + file.path() + " lacks the column " + RECORD_KEY + ".",
          "Write the lake table with 'hoodie.populate.meta.fields=true'.");
    }
  }

  private RuntimeException failure(LakeFile file, Exception error) {
    if (error instanceof LakestreamException already) {
      return already;
    }
    return missing(error) ? cleaned(file, error) : unreadable(file, error);
  }

  private static boolean missing(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof FileNotFoundException) {
        return true;
      }
    }
    return false;
  }

  private LakestreamException unreadable(LakeFile file, Exception cause) {
    return LakestreamException.of(
        ErrorCode.LAKE_UNREADABLE,
        table,
        "file " + file.path() + " cannot be read: " + cause + ".",
        "Check the file system options ('hadoop.*') and the permissions of the path; a damaged file"
            + " must be restored.",
        cause);
  }

  private LakestreamException cleaned(LakeFile file, Exception cause) {
    return LakestreamException.of(
        ErrorCode.LAKE_SNAPSHOT_GONE,
        table,
        "file " + file.path() + " of instant " + instant + " was cleaned while the job ran.",
        "Run the query again, and let Hudi's cleaner keep instants longer than the longest job.",
        cause);
  }
}
