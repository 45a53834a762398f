package io.lakestream.spark.hudi;

import static io.lakestream.spark.hudi.HudiSparkTables.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.hudi.HudiSparkTables.Table;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.lake.LakeTable;
import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Log files of Hudi's own Spark writer, folded to one change per key. */
class LogFilesTest {
  private static final TableSchema SCHEMA =
      schema(
          "id", "INT NOT NULL",
          "v", "STRING",
          "a", "ARRAY<TIMESTAMP(6)>",
          "s", "ROW<x INT, d DECIMAL(30,3)>",
          "m", "MAP<STRING, BIGINT>",
          "b", "BYTES",
          "z", "TIMESTAMP_LTZ(6)",
          "dt", "DATE");
  private static HudiSparkTables tables;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    tables = new HudiSparkTables();
  }

  @AfterAll
  static void stop() {
    tables.close();
  }

  /** A row as the first commit has it: Hudi's Avro writer cannot write a null into a base file. */
  private static String first(int id, String value) {
    return row(id, value, "");
  }

  private static String row(int id, String value, String second) {
    return "select "
        + id
        + " id, '"
        + value
        + "' v, array(timestamp_ntz'2026-01-02 03:04:05.123456'"
        + second
        + ") a,"
        + " named_struct('x', 5, 'd', cast(-1234567890123456789.125 as decimal(30,3))) s,"
        + " map('k', 7L, 'n', null) m, X'00ff' b, timestamp'1999-12-31 23:59:59.5' z,"
        + " date'1600-02-29' dt";
  }

  private static String expected(int id, String value, String second) {
    return "{id="
        + id
        + ", v="
        + value
        + ", a=[2026-01-02T03:04:05.123456"
        + second
        + "],"
        + " s={x=5, d=-1234567890123456789.125}, m={k=7, n=null}, b=00ff,"
        + " z=1999-12-31T23:59:59.5Z, dt=1600-02-29}";
  }

  @ParameterizedTest
  @ValueSource(strings = {"avro", "parquet"})
  void theLastChangeOfEachKeyWins(String format) throws IOException {
    Table table =
        tables
            .table(folder.resolve("t"), "MERGE_ON_READ")
            .with("hoodie.logfile.data.block.format", format)
            .with("hoodie.bucket.index.num.buckets", "1");
    table.upsert(
        String.join(
            " union all ", first(1, "one"), first(2, "two"), first(3, "three"), first(4, "four")));
    // Nor into a Parquet block.
    String second = format.equals("avro") ? ", null" : "";
    table.upsert(row(1, "uno", second) + " union all " + row(2, "dos", second));
    table.delete(row(2, "gone", second) + " union all " + row(3, "gone", second));
    table.upsert(row(3, "again", second));
    LakeTable lake = table.open(SCHEMA);
    String instant = lake.latestInstant().orElseThrow();

    List<LakeSlice> slices = lake.slices(instant, key -> true);
    List<Map<String, Object>> rows = LakeRows.read(lake, instant, SCHEMA);

    assertThat(slices).singleElement().satisfies(s -> assertThat(s.logFiles()).hasSize(3));
    assertThat(rows)
        .extracting(Object::toString)
        .containsExactlyInAnyOrder(
            expected(1, "uno", second), expected(3, "again", second), expected(4, "four", ""));
    StructType some =
        new StructType().add("s", new StructType().add("d", "decimal(30,3)")).add("id", "int");
    assertThat(LakeRows.read(lake, instant, SCHEMA, some))
        .extracting(Object::toString)
        .containsExactlyInAnyOrder(
            "{s={d=-1234567890123456789.125}, id=1}",
            "{s={d=-1234567890123456789.125}, id=3}",
            "{s={d=-1234567890123456789.125}, id=4}");
  }

  @Test
  void aDamagedLogFileIsRefused() throws IOException {
    Table table =
        tables
            .table(folder.resolve("t"), "MERGE_ON_READ")
            .with("hoodie.bucket.index.num.buckets", "1");
    table.upsert("select 1 id, 'a' v");
    table.upsert("select 1 id, 'b' v");
    TableSchema schema = schema("id", "INT", "v", "STRING");
    LakeTable lake = table.open(schema);
    String instant = lake.latestInstant().orElseThrow();
    List<LakeSlice> slices = lake.slices(instant, key -> true);
    Path log = Path.of(URI.create(slices.get(0).logFiles().get(0).path()));
    byte[] bytes = Files.readAllBytes(log);
    Files.deleteIfExists(log.resolveSibling("." + log.getFileName() + ".crc"));
    byte[] overwritten = bytes.clone();
    Arrays.fill(overwritten, bytes.length - 20, bytes.length, (byte) 0);
    Map<byte[], String> damages =
        Map.of(
            overwritten,
            "damaged block in log file",
            Arrays.copyOf(bytes, bytes.length - 20),
            "has " + (bytes.length - 20) + " of ",
            new byte[0],
            "has 0 of " + bytes.length + " bytes");

    damages.forEach(
        (damaged, problem) -> {
          write(log, damaged);
          assertThatThrownBy(
                  () ->
                      LakeRows.read(lake.readerFactory(instant), slices, schema, schema.toSpark()))
              .isInstanceOf(LakestreamException.class)
              .hasMessageContaining("[LAKESTREAM_LAKE_UNREADABLE] db.t: file ")
              .hasMessageContaining(problem)
              .hasMessageContaining(log.getFileName().toString());
        });
  }

  private static void write(Path file, byte[] content) {
    try {
      Files.write(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void columnsAddedLaterAreNullInOlderLogBlocks() throws IOException {
    Table table =
        tables
            .table(folder.resolve("t"), "MERGE_ON_READ")
            .with("hoodie.bucket.index.num.buckets", "1");
    table.upsert("select 1 id, 'a' v union all select 2 id, 'b' v");
    table.upsert("select 1 id, 'a2' v");
    table.upsert("select 2 id, 'b2' v, nullif(9L, 0L) added");
    TableSchema schema = schema("id", "INT", "v", "STRING", "added", "BIGINT");
    LakeTable lake = table.open(schema);

    assertThat(LakeRows.read(lake, lake.latestInstant().orElseThrow(), schema))
        .extracting(Object::toString)
        .containsExactlyInAnyOrder("{id=1, v=a2, added=null}", "{id=2, v=b2, added=9}");
  }
}
