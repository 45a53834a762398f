package io.lakestream.spark.tiering;

import io.lakestream.spark.lake.LakeBucketWriter;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.spill.SpillSpace;
import io.lakestream.spark.spill.SpilledRows;
import io.lakestream.spark.types.SparkTypes;
import io.lakestream.spark.types.TableSchema;
import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.JavaConverters;

/**
 * The last change of each key of one bucket in offset order. Hudi orders the changes of one key
 * within an instant by the block they are in, deletes after rows; with at most one change per key
 * there is nothing left to order. Changes beyond the memory limit go to local disk, divided by key,
 * and each part is folded on its own at the end. Not thread-safe.
 */
final class KeyFold implements Closeable {
  private static final int PARTS = 16;
  private static final int BITS_PER_LEVEL = 4;

  /** Beside a spilled row stand whether it is deleted, its offset and its timestamp. */
  private static final int MARKS = 3;

  /** With eight levels of four bits the whole hash of a key is used up. */
  private static final int LEVELS = Integer.SIZE / BITS_PER_LEVEL;

  /** What a change takes in memory beside the bytes of its row and key. */
  private static final long CHANGE_OVERHEAD = 256;

  private final TableSchema schema;
  private final List<String> primaryKey;
  private final long memoryLimit;
  private final Supplier<SpillSpace> spillSpace;
  private final int level;
  private final Map<UnsafeRow, KeyChange> changes = new LinkedHashMap<>();
  private final UnsafeProjection key;
  private final UnsafeProjection whole;
  private SpilledRows spilled;
  private long memory;

  /**
   * @param memoryLimit the bytes of changes that are held in memory
   * @param spillSpace where changes go beyond that; asked for when it comes to that
   */
  KeyFold(
      TableSchema schema,
      List<String> primaryKey,
      long memoryLimit,
      Supplier<SpillSpace> spillSpace) {
    this(schema, primaryKey, memoryLimit, spillSpace, 0);
  }

  private KeyFold(
      TableSchema schema,
      List<String> primaryKey,
      long memoryLimit,
      Supplier<SpillSpace> spillSpace,
      int level) {
    this.schema = schema;
    this.primaryKey = primaryKey;
    this.memoryLimit = memoryLimit;
    this.spillSpace = spillSpace;
    this.level = level;
    this.key = projection(schema, primaryKey);
    this.whole =
        projection(schema, schema.columns().stream().map(column -> column.name()).toList());
  }

  void add(ChangeKind kind, InternalRow row, long offset, long timestamp) throws IOException {
    if (kind != ChangeKind.UPDATE_BEFORE) {
      boolean deleted = kind == ChangeKind.DELETE;
      add(new KeyChange(whole.apply(row).copy(), deleted, offset, timestamp));
    }
  }

  /** Hands on the last change of each key and forgets all. */
  void writeTo(LakeBucketWriter writer) throws IOException {
    if (spilled == null) {
      for (KeyChange change : changes.values()) {
        if (change.deleted()) {
          writer.delete(change.row());
        } else {
          writer.write(change.row(), change.offset(), change.timestamp());
        }
      }
      return;
    }
    spill();
    for (int part = 0; part < PARTS; part++) {
      try (KeyFold fold = new KeyFold(schema, primaryKey, memoryLimit, spillSpace, level + 1)) {
        spilled.read(
            part,
            schema.columns().size(),
            (row, marks) -> fold.add(new KeyChange(row, marks[0] == 1, marks[1], marks[2])));
        spilled.delete(part);
        fold.writeTo(writer);
      }
    }
  }

  /** Whether changes went to disk. */
  boolean hasSpilled() {
    return spilled != null;
  }

  private void add(KeyChange change) throws IOException {
    UnsafeRow found = key.apply(change.row());
    KeyChange before = changes.replace(found, change);
    if (before == null) {
      changes.put(found.copy(), change);
      memory += CHANGE_OVERHEAD + found.getSizeInBytes();
    } else {
      memory -= before.row().getSizeInBytes();
    }
    memory += change.row().getSizeInBytes();
    if (memory > memoryLimit && level < LEVELS) {
      spill();
    }
  }

  private void spill() throws IOException {
    if (spilled == null) {
      spilled = new SpilledRows(spillSpace.get(), PARTS, MARKS);
    }
    for (Map.Entry<UnsafeRow, KeyChange> entry : changes.entrySet()) {
      KeyChange change = entry.getValue();
      spilled.write(
          part(entry.getKey()),
          change.row(),
          change.deleted() ? 1 : 0,
          change.offset(),
          change.timestamp());
    }
    changes.clear();
    memory = 0;
  }

  private int part(UnsafeRow key) {
    return (key.hashCode() >>> (level * BITS_PER_LEVEL)) & (PARTS - 1);
  }

  @Override
  public void close() throws IOException {
    if (spilled != null) {
      spilled.close();
    }
  }

  private static UnsafeProjection projection(TableSchema schema, List<String> columns) {
    List<Expression> references =
        columns.stream()
            .map(
                name -> {
                  int ordinal = schema.indexOf(name);
                  var type = schema.columns().get(ordinal).type();
                  return (Expression)
                      new BoundReference(ordinal, SparkTypes.toSpark(type), type.nullable());
                })
            .toList();
    return UnsafeProjection.create(JavaConverters.asScalaBuffer(references).toSeq());
  }
}
