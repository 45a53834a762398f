package io.lakestream.spark.tiering;

import io.lakestream.spark.lake.LakeBucketWriter;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.types.SparkTypes;
import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.JavaConverters;

/**
 * The last change of each key of one bucket in offset order. Hudi orders the changes of one key
 * within an instant by the block they are in, deletes after rows; with at most one change per key
 * there is nothing left to order. Holds one row per key in memory. Not thread-safe.
 */
final class KeyFold {
  private final Map<UnsafeRow, Change> changes = new LinkedHashMap<>();
  private final UnsafeProjection key;
  private final UnsafeProjection whole;

  KeyFold(TableSchema schema, List<String> primaryKey) {
    this.key = projection(schema, primaryKey);
    this.whole =
        projection(schema, schema.columns().stream().map(column -> column.name()).toList());
  }

  void add(ChangeKind kind, InternalRow row, long offset, long timestamp) {
    switch (kind) {
      case UPDATE_BEFORE -> {}
      case INSERT, UPDATE_AFTER -> put(row, new Change(copy(row), false, offset, timestamp));
      case DELETE -> put(row, new Change(copy(row), true, offset, timestamp));
    }
  }

  void writeTo(LakeBucketWriter writer) throws IOException {
    for (Change change : changes.values()) {
      if (change.deleted()) {
        writer.delete(change.row());
      } else {
        writer.write(change.row(), change.offset(), change.timestamp());
      }
    }
  }

  private void put(InternalRow row, Change change) {
    UnsafeRow found = key.apply(row);
    if (changes.replace(found, change) == null) {
      changes.put(found.copy(), change);
    }
  }

  private InternalRow copy(InternalRow row) {
    return whole.apply(row).copy();
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

  private record Change(InternalRow row, boolean deleted, long offset, long timestamp) {}
}
