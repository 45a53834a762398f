package io.lakestream.spark.hudi;

import io.lakestream.spark.lake.LakeChanges;
import io.lakestream.spark.lake.LakeReaderFactory;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.lake.LakeTable;
import io.lakestream.spark.types.BatchIterator;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Scalar;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * The rows of a lake table, merged as the port asks: base rows whose record key was changed are
 * dropped, then the live changes are added. Values are rendered as text, numbers and booleans
 * aside, in the manner of the golden tables' {@code expected.json}.
 */
public final class LakeRows {
  private static final DateTimeFormatter DATE_TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("yyyy-MM-dd'T'HH:mm:ss")
          .appendFraction(ChronoField.MICRO_OF_SECOND, 0, 6, true)
          .toFormatter();

  private LakeRows() {}

  /** All rows as of an instant. */
  public static List<Map<String, Object>> read(LakeTable table, String instant, TableSchema schema)
      throws IOException {
    return read(table, instant, schema, schema.toSpark());
  }

  /** All rows as of an instant, with some of the columns. */
  public static List<Map<String, Object>> read(
      LakeTable table, String instant, TableSchema schema, StructType columns) throws IOException {
    return read(table.readerFactory(instant), table.slices(instant, key -> true), schema, columns);
  }

  /** The rows of some slices, with some of the columns. */
  public static List<Map<String, Object>> read(
      LakeReaderFactory readers, List<LakeSlice> slices, TableSchema schema, StructType columns)
      throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (LakeSlice slice : slices) {
      read(readers, slice, schema, columns, rows);
    }
    return rows;
  }

  private static void read(
      LakeReaderFactory readers,
      LakeSlice slice,
      TableSchema schema,
      StructType columns,
      List<Map<String, Object>> rows)
      throws IOException {
    Set<String> changed = new HashSet<>();
    if (slice.hasLogFiles()) {
      try (LakeChanges changes = readers.openChanges(slice, columns)) {
        while (changes.next()) {
          if (!changed.add(changes.recordKey())) {
            throw new IllegalStateException("two changes of key " + changes.recordKey());
          }
          if (!changes.deleted()) {
            rows.add(render(changes.row(), schema, columns));
          }
        }
      }
    }
    if (slice.baseFile() == null) {
      return;
    }
    boolean keyed = slice.hasLogFiles();
    try (BatchIterator batches =
        readers.openBase(slice.baseFile(), 0, slice.baseFile().length(), columns, keyed)) {
      while (batches.next()) {
        ColumnarBatch batch = batches.get();
        for (int i = 0; i < batch.numRows(); i++) {
          InternalRow row = batch.getRow(i);
          if (!keyed || !changed.contains(row.getUTF8String(columns.size()).toString())) {
            rows.add(render(row, schema, columns));
          }
        }
      }
    }
  }

  static Map<String, Object> render(InternalRow row, TableSchema schema, StructType columns) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      StructField field = columns.apply(i);
      TableColumn declared = schema.column(field.name());
      values.put(field.name(), value(row, i, declared.type(), field.dataType()));
    }
    return values;
  }

  private static Object value(SpecializedGetters row, int i, LogicalType type, DataType spark) {
    if (row.isNullAt(i)) {
      return null;
    }
    if (type instanceof LogicalType.Array array) {
      return list(row.getArray(i), array.element(), ((ArrayType) spark).elementType());
    } else if (type instanceof LogicalType.Map map) {
      MapType mapType = (MapType) spark;
      MapData data = row.getMap(i);
      List<Object> keys = list(data.keyArray(), map.key(), mapType.keyType());
      List<Object> values = list(data.valueArray(), map.value(), mapType.valueType());
      Map<String, Object> result = new TreeMap<>();
      for (int k = 0; k < keys.size(); k++) {
        result.put(keys.get(k).toString(), values.get(k));
      }
      return result;
    } else if (type instanceof LogicalType.Row declared) {
      StructType struct = (StructType) spark;
      InternalRow inner = row.getStruct(i, struct.size());
      Map<String, Object> result = new LinkedHashMap<>();
      for (int k = 0; k < struct.size(); k++) {
        StructField field = struct.apply(k);
        LogicalType fieldType =
            declared.fields().stream()
                .filter(candidate -> candidate.name().equals(field.name()))
                .findFirst()
                .orElseThrow()
                .type();
        result.put(field.name(), value(inner, k, fieldType, field.dataType()));
      }
      return result;
    }
    return scalar(row, i, (Scalar) type);
  }

  private static List<Object> list(ArrayData data, LogicalType element, DataType spark) {
    List<Object> result = new ArrayList<>();
    for (int i = 0; i < data.numElements(); i++) {
      result.add(value(data, i, element, spark));
    }
    return result;
  }

  private static Object scalar(SpecializedGetters row, int i, Scalar type) {
    return switch (type.kind()) {
      case BOOLEAN -> row.getBoolean(i);
      case TINYINT -> (long) row.getByte(i);
      case SMALLINT -> (long) row.getShort(i);
      case INTEGER -> (long) row.getInt(i);
      case BIGINT -> row.getLong(i);
      case FLOAT -> (double) row.getFloat(i);
      case DOUBLE -> row.getDouble(i);
      case DECIMAL ->
          row.getDecimal(i, type.precision(), type.scale()).toJavaBigDecimal().toPlainString();
      case CHAR, STRING -> row.getUTF8String(i).toString();
      case BINARY, BYTES -> HexFormat.of().formatHex(row.getBinary(i));
      case DATE -> LocalDate.ofEpochDay(row.getInt(i)).toString();
      case TIME ->
          LocalTime.ofNanoOfDay(row.getInt(i) * 1_000_000L).format(DateTimeFormatter.ISO_TIME);
      case TIMESTAMP -> dateTime(row.getLong(i));
      case TIMESTAMP_LTZ -> dateTime(row.getLong(i)) + "Z";
    };
  }

  private static String dateTime(long micros) {
    Instant instant =
        Instant.ofEpochSecond(
            Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000L);
    return LocalDateTime.ofInstant(instant, ZoneOffset.UTC).format(DATE_TIME);
  }
}
