package io.lakestream.spark.hudi;

import static io.lakestream.spark.hudi.HudiSparkTables.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.hudi.HudiSparkTables.Table;
import io.lakestream.spark.lake.LakeFile;
import io.lakestream.spark.lake.LakeReaderFactory;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.lake.LakeTable;
import io.lakestream.spark.types.BatchIterator;
import io.lakestream.spark.types.TableSchema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Base files of Hudi's own Spark writer, read as columns. */
class BaseFilesTest {
  private static final int WIDE = 150;

  /** The footer's length and the magic number. */
  private static final int FOOTER_TAIL = 8;

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

  private Table table() {
    return tables
        .table(folder.resolve("t"), "COPY_ON_WRITE")
        .with("hoodie.bucket.index.num.buckets", "1");
  }

  private static LakeSlice onlySlice(LakeTable lake) {
    List<LakeSlice> slices = lake.slices(lake.latestInstant().orElseThrow(), key -> true);
    assertThat(slices).hasSize(1);
    return slices.get(0);
  }

  private static StructType pick(TableSchema schema, String... names) {
    StructType picked = new StructType();
    for (String name : names) {
      picked = picked.add(schema.toSpark().apply(name));
    }
    return picked;
  }

  private static ParquetMetadata footer(LakeFile file) throws IOException {
    try (ParquetFileReader reader =
        ParquetFileReader.open(
            HadoopInputFile.fromPath(
                new org.apache.hadoop.fs.Path(file.path()), CountingFileSystem.configuration()))) {
      return reader.getFooter();
    }
  }

  /** The length of the footer, which stands before the magic number at the end of the file. */
  private static long footerLength(Path table) throws IOException {
    Path file;
    try (Stream<Path> files = Files.list(table)) {
      file =
          files
              .filter(path -> path.getFileName().toString().matches("[^.].*\\.parquet"))
              .findFirst()
              .orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(file);
    return ByteBuffer.wrap(bytes, bytes.length - FOOTER_TAIL, Integer.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .getInt();
  }

  private static long rows(BatchIterator batches) throws IOException {
    long rows = 0;
    try (batches) {
      while (batches.next()) {
        rows += batches.get().numRows();
      }
    }
    return rows;
  }

  @Test
  void aProjectionReadsOnlyItsColumnChunks() throws IOException {
    String columns =
        IntStream.range(0, WIDE)
            .mapToObj(i -> "sha2(cast(id * 1000 + " + i + " as string), 256) c" + i)
            .collect(Collectors.joining(", "));
    table()
        .write(
            "bulk_insert",
            tables.rows("select cast(id as int) id, " + columns + " from range(500)").coalesce(1));
    List<String> names = new ArrayList<>(List.of("id", "INT"));
    IntStream.range(0, WIDE).forEach(i -> names.addAll(List.of("c" + i, "STRING")));
    TableSchema schema = schema(names.toArray(String[]::new));
    LakeTable lake =
        table()
            .open(
                CountingFileSystem::configuration,
                CountingFileSystem.SCHEME + "://" + table().path(),
                schema);
    LakeReaderFactory readers = lake.readerFactory(lake.latestInstant().orElseThrow());
    LakeFile file = onlySlice(lake).baseFile();
    ParquetMetadata footer = footer(file);
    long chunk =
        footer.getBlocks().stream()
            .flatMap(block -> block.getColumns().stream())
            .filter(column -> column.getPath().toDotString().equals("c7"))
            .mapToLong(ColumnChunkMetaData::getTotalSize)
            .sum();

    CountingFileSystem.BYTES.set(0);
    assertThat(rows(readers.openBase(file, 0, file.length(), new StructType(), false)))
        .isEqualTo(500);
    long footerBytes = CountingFileSystem.BYTES.getAndSet(0);
    assertThat(rows(readers.openBase(file, 0, file.length(), pick(schema, "c7"), false)))
        .isEqualTo(500);
    long columnBytes = CountingFileSystem.BYTES.getAndSet(0);

    assertThat(footerBytes).isEqualTo(footerLength(table().path()) + FOOTER_TAIL);
    assertThat(columnBytes - footerBytes).isEqualTo(chunk);
    List<Map<String, Object>> all = LakeRows.read(lake, lake.latestInstant().get(), schema);
    assertThat(all).hasSize(500).allSatisfy(row -> assertThat(row).hasSize(WIDE + 1));
  }

  @Test
  void rangesCutAFileAtRowGroups() throws IOException {
    Table table =
        table()
            .with("hoodie.parquet.max.file.size", String.valueOf(64 << 20))
            .with("hoodie.parquet.block.size", String.valueOf(64 << 10))
            .with("hoodie.parquet.page.size", String.valueOf(8 << 10));
    table.write(
        "bulk_insert",
        tables
            .rows("select cast(id as int) id, sha2(cast(id as string), 256) v from range(20000)")
            .coalesce(1));
    TableSchema schema = schema("id", "INT", "v", "STRING");
    LakeTable lake = table.open(schema);
    LakeReaderFactory readers = lake.readerFactory(lake.latestInstant().orElseThrow());
    LakeFile file = onlySlice(lake).baseFile();
    List<BlockMetaData> groups = footer(file).getBlocks();
    assertThat(groups).hasSizeGreaterThan(3);

    long cut = file.length() / 3;
    long first = rows(readers.openBase(file, 0, cut, pick(schema, "v"), false));
    long second = rows(readers.openBase(file, cut, file.length() - cut, pick(schema, "v"), false));
    long none = rows(readers.openBase(file, 0, 1, pick(schema, "v"), false));

    assertThat(first).isPositive();
    assertThat(second).isPositive();
    assertThat(first + second).isEqualTo(20000);
    assertThat(none).isZero();
    assertThat(rows(readers.openBase(file, 0, cut, new StructType(), false))).isEqualTo(first);
  }

  @Test
  void nestedAndTemporalValuesOfSparksWriterAreExact() throws IOException {
    Table table = table();
    table.write(
        "bulk_insert",
        tables
            .rows(
                "select 1 id, array(timestamp_ntz'2026-01-02 03:04:05.123456', null) a,"
                    + " named_struct('x', 5, 'y', named_struct('p', 'q', 'r', 2.50bd)) s,"
                    + " map('k', array(1, null)) m, date'1500-01-01' d,"
                    + " timestamp'1500-01-01 00:00:00.000001' z, cast(null as string) n,"
                    + " timestamp_ntz'1400-02-03 04:05:06' t")
            .coalesce(1));
    TableSchema schema =
        schema(
            "id", "INT NOT NULL",
            "a", "ARRAY<TIMESTAMP(6)>",
            "s", "ROW<x INT, y ROW<p STRING, r DECIMAL(3,2)>>",
            "m", "MAP<STRING, ARRAY<INT>>",
            "d", "DATE",
            "z", "TIMESTAMP_LTZ(6)",
            "n", "STRING",
            "t", "TIMESTAMP(6)",
            "added", "ARRAY<INT>");
    LakeTable lake = table.open(schema);
    String instant = lake.latestInstant().orElseThrow();

    List<Map<String, Object>> rows = LakeRows.read(lake, instant, schema);

    assertThat(rows).hasSize(1);
    assertThat(rows.get(0))
        .hasToString(
            "{id=1, a=[2026-01-02T03:04:05.123456, null], s={x=5, y={p=q, r=2.50}},"
                + " m={k=[1, null]}, d=1500-01-01, z=1500-01-01T00:00:00.000001Z, n=null,"
                + " t=1400-02-03T04:05:06, added=null}");
    StructType inner =
        new StructType()
            .add("s", new StructType().add("y", new StructType().add("p", "string")))
            .add("added", "array<int>");
    assertThat(LakeRows.read(lake, instant, schema, inner))
        .singleElement()
        .hasToString("{s={y={p=q}}, added=null}");
    assertThat(LakeRows.read(lake, instant, schema, pick(schema, "added")))
        .singleElement()
        .hasToString("{added=null}");
  }

  @Test
  void pruningInsideAStructReadsOnlyTheWantedLeaves() throws IOException {
    table()
        .write(
            "bulk_insert",
            tables
                .rows(
                    "select cast(id as int) id, named_struct('a', cast(id as int), 'b',"
                        + " sha2(cast(id as string), 512)) s from range(3000)")
                .coalesce(1));
    TableSchema schema = schema("id", "INT", "s", "ROW<a INT, b STRING>");
    LakeTable lake =
        table()
            .open(
                CountingFileSystem::configuration,
                CountingFileSystem.SCHEME + "://" + table().path(),
                schema);
    LakeReaderFactory readers = lake.readerFactory(lake.latestInstant().orElseThrow());
    LakeFile file = onlySlice(lake).baseFile();
    CountingFileSystem.BYTES.set(0);

    StructType leaf = new StructType().add("s", new StructType().add("a", "int"));
    assertThat(rows(readers.openBase(file, 0, file.length(), leaf, false))).isEqualTo(3000);
    long pruned = CountingFileSystem.BYTES.getAndSet(0);
    assertThat(rows(readers.openBase(file, 0, file.length(), pick(schema, "s"), false)))
        .isEqualTo(3000);
    long whole = CountingFileSystem.BYTES.getAndSet(0);

    long b =
        footer(file).getBlocks().stream()
            .flatMap(block -> block.getColumns().stream())
            .filter(column -> column.getPath().toDotString().equals("s.b"))
            .mapToLong(ColumnChunkMetaData::getTotalSize)
            .sum();
    assertThat(whole - pruned).isEqualTo(b);
  }

  @Test
  void columnNamesKeepTheirCase() throws IOException {
    Table table = table();
    table.write("bulk_insert", tables.rows("select 1 id, 'x' Value").coalesce(1));
    TableSchema exact = schema("id", "INT", "Value", "STRING");
    LakeTable lake = table.open(exact);

    assertThat(LakeRows.read(lake, lake.latestInstant().orElseThrow(), exact))
        .singleElement()
        .hasToString("{id=1, Value=x}");
    assertThatThrownBy(() -> table.open(schema("id", "INT", "value", "STRING")))
        .isInstanceOf(LakestreamException.class)
        .hasMessageContaining("Value");
  }

  @Test
  void readersTravelToTasksAsValues() throws Exception {
    Table table = table();
    table.write("bulk_insert", tables.rows("select 1 id, 'x' v").coalesce(1));
    TableSchema schema = schema("id", "INT", "v", "STRING");
    LakeTable lake = table.open(schema);
    LakeFile file = onlySlice(lake).baseFile();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(lake.readerFactory(lake.latestInstant().orElseThrow()));
    }

    LakeReaderFactory copy;
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      copy = (LakeReaderFactory) in.readObject();
    }

    assertThat(bytes.size()).isLessThan(200_000);
    BatchIterator batches = copy.openBase(file, 0, file.length(), pick(schema, "v"), true);
    assertThat(batches.next()).isTrue();
    assertThat(batches.get().numCols()).isEqualTo(2);
    assertThat(batches.get().getRow(0).getString(0)).isEqualTo("x");
    assertThat(batches.get().getRow(0).getString(1)).isEqualTo("1");
    assertThat(batches.next()).isFalse();
    assertThat(batches.next()).isFalse();
    batches.close();
    batches.close();
  }

  @Test
  void aFileCleanedAfterPlanningIsNamed() throws IOException {
    Table table = table();
    table.write("bulk_insert", tables.rows("select 1 id, 'x' v").coalesce(1));
    TableSchema schema = schema("id", "INT", "v", "STRING");
    LakeTable lake = table.open(schema);
    LakeFile file = onlySlice(lake).baseFile();
    LakeReaderFactory readers = lake.readerFactory(lake.latestInstant().orElseThrow());
    Files.delete(table.dataFiles("[^.].*\\.parquet").get(0));

    assertThatThrownBy(() -> readers.openBase(file, 0, file.length(), schema.toSpark(), false))
        .isInstanceOf(LakestreamException.class)
        .hasMessageContaining("LAKE_SNAPSHOT_GONE")
        .hasMessageContaining(file.path() + " of instant " + lake.latestInstant().get())
        .hasMessageContaining("was cleaned while the job ran");
  }
}
