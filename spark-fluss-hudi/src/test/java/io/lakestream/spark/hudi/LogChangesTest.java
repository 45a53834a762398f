package io.lakestream.spark.hudi;

import static io.lakestream.spark.hudi.HudiSparkTables.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;
import org.junit.jupiter.api.Test;

/** The folding of log blocks and the decoding of their rows, without files. */
class LogChangesTest {
  private static final TableSchema KEY_VALUE = schema("v", "STRING");
  private static final Schema WITH_OPERATION =
      record(
          "{'name': '_hoodie_record_key', 'type': ['null', 'string']},"
              + "{'name': '_hoodie_operation', 'type': ['null', 'string']},"
              + "{'name': 'v', 'type': ['null', 'string']},"
              + "{'name': '_hoodie_is_deleted', 'type': ['null', 'boolean']}");

  private static Schema record(String fields) {
    return new Schema.Parser()
        .parse(
            "{'type': 'record', 'name': 'r', 'fields': [FIELDS]}"
                .replace("FIELDS", fields)
                .replace('\'', '"'));
  }

  private static IndexedRecord row(Schema schema, Object... values) {
    GenericData.Record record = new GenericData.Record(schema);
    for (int i = 0; i < values.length; i++) {
      record.put(i, values[i]);
    }
    return record;
  }

  private static LogBlock rows(String instant, Schema schema, IndexedRecord... rows)
      throws IOException {
    return new LogBlock.Rows(
        instant, schema, EncodedRecords.of(schema, Arrays.asList(rows).iterator()));
  }

  private static IndexedRecord change(String key, String operation, String value) {
    return row(WITH_OPERATION, key, operation, value, null);
  }

  private static List<String> fold(TableSchema schema, LogBlock... blocks) throws IOException {
    List<String> result = new ArrayList<>();
    try (LogChanges changes = new LogChanges(List.of(blocks), schema.toSpark(), schema)) {
      while (changes.next()) {
        result.add(
            changes.recordKey()
                + (changes.deleted()
                    ? " deleted"
                    : " " + LakeRows.render(changes.row(), schema, schema.toSpark())));
      }
      assertThat(changes.next()).isFalse();
    }
    return result;
  }

  @Test
  void theLastBlockAndTheLastRowInItWin() throws IOException {
    assertThat(
            fold(
                KEY_VALUE,
                rows(
                    "1",
                    WITH_OPERATION,
                    change("a", null, "before"),
                    change("a", null, "after"),
                    change("b", null, "b1"),
                    change("c", null, "c1")),
                new LogBlock.Deletes("1", List.of("b", "d")),
                rows("2", WITH_OPERATION, change("c", null, "c2"), change("b", null, "b2")),
                new LogBlock.Deletes("2", List.of("c"))))
        .containsExactlyInAnyOrder("a {v=after}", "b {v=b2}", "c deleted", "d deleted");
  }

  @Test
  void beforeImagesChangeNothingAndMarkedRowsAreDeletions() throws IOException {
    assertThat(
            fold(
                KEY_VALUE,
                rows(
                    "1",
                    WITH_OPERATION,
                    change("a", "I", "a1"),
                    change("a", "-U", "a0"),
                    change("b", "U", "b1"),
                    change("b", "D", "b1"),
                    change("z", "-U", "z0"),
                    row(WITH_OPERATION, "c", null, "c1", true),
                    row(WITH_OPERATION, "d", null, "d1", false))))
        .containsExactlyInAnyOrder("a {v=a1}", "b deleted", "c deleted", "d {v=d1}");
  }

  @Test
  void rolledBackBlocksAreTakenBack() throws IOException {
    assertThat(
            fold(
                KEY_VALUE,
                rows("1", WITH_OPERATION, change("a", null, "a1")),
                rows("2", WITH_OPERATION, change("a", null, "a2"), change("b", null, "b2")),
                new LogBlock.Deletes("2", List.of("c")),
                new LogBlock.Rollback("3", "2"),
                rows("4", WITH_OPERATION, change("d", null, "d4"))))
        .containsExactlyInAnyOrder("a {v=a1}", "d {v=d4}");
  }

  @Test
  void valuesAreReadAsTheyWereWritten() throws IOException {
    TableSchema declared =
        schema(
            "t1", "TINYINT",
            "t2", "SMALLINT",
            "time", "TIME",
            "n3", "TIMESTAMP(3)",
            "n6", "TIMESTAMP(6)",
            "z3", "TIMESTAMP_LTZ(3)",
            "fixed", "DECIMAL(5,2)",
            "bytes", "DECIMAL(5,2)",
            "raw", "BINARY(2)",
            "c", "CHAR(4)",
            "added", "BIGINT");
    Schema written =
        record(
            "{'name': '_hoodie_record_key', 'type': 'string'},"
                + "{'name': 'unwanted', 'type': {'type': 'array', 'items': 'string'}},"
                + "{'name': 't1', 'type': ['null', 'int']},"
                + "{'name': 't2', 'type': 'int'},"
                + "{'name': 'time', 'type': ['null', {'type': 'int', 'logicalType':"
                + " 'time-millis'}]},"
                + "{'name': 'n3', 'type': {'type': 'long', 'logicalType': 'timestamp-millis'}},"
                + "{'name': 'n6', 'type': {'type': 'long', 'logicalType':"
                + " 'local-timestamp-micros'}},"
                + "{'name': 'z3', 'type': {'type': 'long', 'logicalType':"
                + " 'local-timestamp-millis'}},"
                + "{'name': 'fixed', 'type': {'type': 'fixed', 'name': 'f', 'size': 3,"
                + " 'logicalType': 'decimal', 'precision': 5, 'scale': 2}},"
                + "{'name': 'bytes', 'type': {'type': 'bytes', 'logicalType': 'decimal',"
                + " 'precision': 5, 'scale': 2}},"
                + "{'name': 'raw', 'type': 'bytes'},"
                + "{'name': 'c', 'type': 'string'}");
    IndexedRecord row =
        row(
            written,
            "k",
            List.of("x", "y"),
            -128,
            32767,
            3_600_001,
            -1L,
            1L,
            1_500L,
            new GenericData.Fixed(written.getField("fixed").schema(), new byte[] {-1, -1, -1}),
            ByteBuffer.wrap(new byte[] {0x30, 0x39}),
            ByteBuffer.wrap(new byte[] {0, -1}),
            "ab");

    assertThat(fold(declared, rows("1", written, row)))
        .containsExactly(
            "k {t1=-128, t2=32767, time=01:00:00.001, n3=1969-12-31T23:59:59.999,"
                + " n6=1970-01-01T00:00:00.000001, z3=1970-01-01T00:00:01.5Z, fixed=-0.01,"
                + " bytes=123.45, raw=00ff, c=ab, added=null}");
  }

  @Test
  void aBlockOfAnotherTypeOrWithoutKeysIsRefused() throws IOException {
    Schema other =
        record("{'name': '_hoodie_record_key', 'type': 'string'}, {'name': 'v', 'type': 'long'}");
    LogBlock wrong = rows("1", other, row(other, "k", 1L));
    assertThatThrownBy(() -> fold(KEY_VALUE, wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("column v is declared as STRING but was written as long");

    Schema keyless = record("{'name': 'v', 'type': 'string'}");
    LogBlock unkeyed = rows("1", keyless, row(keyless, "x"));
    assertThatThrownBy(() -> fold(KEY_VALUE, unkeyed))
        .hasMessage("log records without the column _hoodie_record_key");
  }
}
