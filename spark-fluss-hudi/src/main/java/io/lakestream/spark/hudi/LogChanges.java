package io.lakestream.spark.hudi;

import io.lakestream.spark.hudi.ChangeKeyReader.Effect;
import io.lakestream.spark.lake.LakeChanges;
import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/**
 * Folds the blocks of a slice's log files to the last change of each record key: blocks apply in
 * order, whole, so a later block overrides an earlier one whatever a row's columns say.
 *
 * <p>Only keys are decoded for the folding; a row is decoded when it is asked for. Held in memory
 * are the log files' bytes and one entry per key.
 */
final class LogChanges implements LakeChanges {
  private static final long DELETED = -1L;
  private static final long POSITION_MASK = 0xFFFFFFFFL;

  private final List<LogBlock.Rows> blocks = new ArrayList<>();
  private final List<AvroRowDecoder> decoders = new ArrayList<>();

  /** Per key the block and the position in it of its last row, or {@link #DELETED}. */
  private final Map<String, Long> changes = new LinkedHashMap<>();

  private Iterator<Map.Entry<String, Long>> remaining;
  private Map.Entry<String, Long> current;
  private BinaryDecoder decoder;

  /**
   * @param logged the blocks of all log files, in the order in which they apply
   * @throws IllegalArgumentException if records cannot be read as the declared types, or have no
   *     key
   */
  LogChanges(List<LogBlock> logged, StructType columns, TableSchema declared) throws IOException {
    Map<Schema, AvroRowDecoder> bySchema = new HashMap<>();
    for (LogBlock block : withoutRolledBack(logged)) {
      if (block instanceof LogBlock.Rows rows) {
        decoders.add(
            bySchema.computeIfAbsent(
                rows.schema(), schema -> new AvroRowDecoder(schema, columns, declared)));
        blocks.add(rows);
        apply(rows, blocks.size() - 1);
      } else if (block instanceof LogBlock.Deletes deletes) {
        deletes.keys().forEach(key -> changes.put(key, DELETED));
      }
    }
    remaining = changes.entrySet().iterator();
  }

  private static List<LogBlock> withoutRolledBack(List<LogBlock> logged) {
    List<LogBlock> kept = new ArrayList<>();
    for (LogBlock block : logged) {
      if (block instanceof LogBlock.Rollback rollback) {
        kept.removeIf(earlier -> rollback.target().equals(earlier.instant()));
      } else {
        kept.add(block);
      }
    }
    return kept;
  }

  private void apply(LogBlock.Rows rows, int block) throws IOException {
    ChangeKeyReader keys = new ChangeKeyReader(rows.schema());
    EncodedRecords records = rows.records();
    int position = records.start();
    for (int i = 0; i < records.count(); i++) {
      keys.read(decoderAt(records, position));
      if (keys.effect() == Effect.PUT) {
        changes.put(keys.key(), ((long) block << Integer.SIZE) | position);
      } else if (keys.effect() == Effect.DELETE) {
        changes.put(keys.key(), DELETED);
      }
      position = records.next(position);
    }
  }

  private BinaryDecoder decoderAt(EncodedRecords records, int position) {
    decoder =
        DecoderFactory.get()
            .binaryDecoder(
                records.bytes(), records.dataStart(position), records.length(position), decoder);
    return decoder;
  }

  @Override
  public boolean next() {
    if (!remaining.hasNext()) {
      current = null;
      return false;
    }
    current = remaining.next();
    return true;
  }

  @Override
  public String recordKey() {
    return current.getKey();
  }

  @Override
  public boolean deleted() {
    return current.getValue() == DELETED;
  }

  @Override
  public InternalRow row() {
    long place = current.getValue();
    int block = (int) (place >>> Integer.SIZE);
    int position = (int) (place & POSITION_MASK);
    try {
      return decoders.get(block).decode(decoderAt(blocks.get(block).records(), position));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    remaining = Collections.emptyIterator();
    changes.clear();
    blocks.clear();
  }
}
