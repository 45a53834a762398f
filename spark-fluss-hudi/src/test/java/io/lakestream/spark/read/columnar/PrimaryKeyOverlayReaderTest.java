package io.lakestream.spark.read.columnar;

import static io.lakestream.spark.log.ChangeKind.DELETE;
import static io.lakestream.spark.log.ChangeKind.INSERT;
import static io.lakestream.spark.log.ChangeKind.UPDATE_AFTER;
import static io.lakestream.spark.log.ChangeKind.UPDATE_BEFORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.lake.LakeFile;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogRange;
import io.lakestream.spark.read.plan.UnionSplit.OverlaySplit;
import io.lakestream.spark.spill.SpillSpace;
import io.lakestream.spark.testing.FakeLake;
import io.lakestream.spark.testing.FakeLog;
import io.lakestream.spark.types.PartitionKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrimaryKeyOverlayReaderTest {
  private static final StructType SCHEMA =
      new StructType().add("id", DataTypes.LongType, false).add("v", DataTypes.StringType);
  private static final LakeFile BASE = new LakeFile("/lake/base", 10);
  private static final LakeFile LOG = new LakeFile("/lake/.log", 10);

  private final FakeLog log = new FakeLog(SCHEMA);
  private final FakeLake lake = new FakeLake(SCHEMA);
  private final ReadCounters counters = new ReadCounters();
  private final List<StructField> keys = List.of(SCHEMA.apply("id"));
  private Long keySnapshot;
  private TailMemory memory = new TailMemory(1_000, 1 << 20);

  @TempDir Path directory;

  private static Object[] row(long id, String v) {
    return new Object[] {id, UTF8String.fromString(v)};
  }

  private static LakeSlice slice(LakeFile base, LakeFile... logs) {
    return new LakeSlice(PartitionKey.NONE, "", "g", 0, base, List.of(logs));
  }

  private static SpillSpace space(Path directory) {
    SparkConf conf = new SparkConf(false);
    return new SpillSpace(directory, new SerializerManager(new JavaSerializer(conf), conf));
  }

  private static StructType columns(String names) {
    StructType columns = new StructType();
    for (String column : names.isEmpty() ? new String[0] : names.split(",")) {
      columns = columns.add(SCHEMA.apply(column));
    }
    return columns;
  }

  private PrimaryKeyOverlayReader open(StructType wanted, LakeSlice... slices) {
    LogRange tail =
        log.end() == 0 && keySnapshot == null
            ? null
            : new LogRange(new LogBucket(null, 0), null, 0, log.end());
    return new PrimaryKeyOverlayReader(
        new OverlaySplit(List.of(slices), tail, keySnapshot),
        lake,
        log,
        wanted,
        keys,
        2,
        memory,
        () -> space(directory),
        counters);
  }

  private List<String> read(String columns, LakeSlice... slices) throws IOException {
    StructType wanted = columns(columns);
    List<String> rows = new ArrayList<>();
    try (PrimaryKeyOverlayReader reader = open(wanted, slices)) {
      while (reader.next()) {
        assertThat(reader.get().numCols()).isEqualTo(wanted.length());
        Iterator<InternalRow> batch = reader.get().rowIterator();
        while (batch.hasNext()) {
          rows.add(String.valueOf(batch.next().copy().toSeq(wanted).mkString(",")));
        }
      }
    }
    assertThat(log.openReaders).isZero();
    assertNoFiles();
    return rows;
  }

  private void assertNoFiles() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void laterLayersWinAndDeletedKeysAreGone() throws IOException {
    lake.base("/lake/base", row(1, "b1"), row(2, "b2"), row(3, "b3"), row(4, "b4"), row(5, "b5"))
        .change("g", "2", row(2, "l2"))
        .change("g", "3")
        .change("g", "6", row(6, "l6"))
        .change("g", "7", row(7, "l7"));
    log.add(UPDATE_BEFORE, row(4, "b4"))
        .add(UPDATE_AFTER, row(4, "t4"))
        .add(DELETE, row(5, "b5"))
        .addEmptyOffset()
        .add(DELETE, row(6, "l6"))
        .add(INSERT, row(8, "t8"))
        .add(INSERT, row(9, "t9"))
        .add(DELETE, row(9, "t9"))
        .add(UPDATE_AFTER, row(8, "t8b"));

    assertThat(read("id,v", slice(BASE, LOG)))
        .containsExactlyInAnyOrder("1,b1", "2,l2", "7,l7", "4,t4", "8,t8b");
    assertThat(counters.lakeRows).isEqualTo(8);
    assertThat(counters.logRows).isEqualTo(8);
    assertThat(counters.overriddenRows).isEqualTo(5);
    assertThat(counters.logBytesFetched).isEqualTo(100);
  }

  @Test
  void keyColumnsNeedNotBeWanted() throws IOException {
    lake.base("/lake/base", row(1, "b1"), row(2, "b2"));
    log.add(UPDATE_AFTER, row(2, "t2"));

    assertThat(read("v", slice(BASE))).containsExactlyInAnyOrder("b1", "t2");
    assertThat(log.openedColumns).containsExactly(List.of("v", "id"));
    assertThat(lake.openedColumns).containsExactly("v,id");
  }

  @Test
  void noColumnsStillCountRows() throws IOException {
    lake.base("/lake/base", row(1, "b1"), row(2, "b2"), row(3, "b3"));
    log.add(DELETE, row(2, "b2")).add(INSERT, row(7, "t7"));

    assertThat(read("", slice(BASE))).containsExactly("", "", "");
  }

  @Test
  void theRecordKeyIsReadOnlyUnderLogFiles() throws IOException {
    lake.base("/lake/base", row(1, "b1"), row(2, "b2")).change("g", "1", row(1, "l1"));

    assertThat(read("v", slice(BASE, LOG))).containsExactlyInAnyOrder("l1", "b2");
    assertThat(lake.openedColumns).containsExactly("v+key");
  }

  @Test
  void eitherSideMayBeEmpty() throws IOException {
    lake.change("g", "1", row(1, "l1")).change("g", "2");
    assertThat(read("id", slice(null, LOG))).containsExactly("1");
    log.add(INSERT, row(3, "t3"));
    assertThat(read("id")).containsExactly("3");
    log.add(DELETE, row(3, "t3"));
    assertThat(read("id")).isEmpty();
  }

  @Test
  void manyBatchesAndSlicesAreReadOneAfterTheOther() throws IOException {
    Object[][] first = new Object[7][];
    for (int i = 0; i < first.length; i++) {
      first[i] = row(i, "a" + i);
    }
    lake.base("/lake/base", first).base("/lake/other", row(100, "o"));
    for (long i = 0; i < 7; i += 2) {
      log.add(DELETE, row(i, "a" + i));
    }

    assertThat(read("id", slice(BASE), slice(new LakeFile("/lake/other", 1))))
        .containsExactly("1", "3", "5", "100");
  }

  @Test
  void aKeySnapshotStandsInForTheLake() throws IOException {
    keySnapshot = 5L;
    log.keySnapshot(row(1, "s1"), row(2, "s2"), row(3, "s3"));
    assertThat(read("v,id")).containsExactlyInAnyOrder("s1,1", "s2,2", "s3,3");

    log.add(UPDATE_AFTER, row(2, "t2")).add(DELETE, row(3, "s3")).add(INSERT, row(4, "t4"));
    for (TailMemory some : List.of(memory, new TailMemory(1, 1 << 20), new TailMemory(9, 1))) {
      memory = some;
      assertThat(read("v")).containsExactlyInAnyOrder("s1", "t2", "t4");
      assertThat(read("")).hasSize(3);
    }
    assertThat(counters.overriddenRows).isEqualTo(12);
  }

  /** Random changes over two layers of the lake; what is read must not depend on the memory. */
  @ParameterizedTest
  @CsvSource({"10, 1048576", "1000000, 4096", "1000000, 30000"})
  void tailsBeyondMemoryGiveTheSameRows(long rows, long bytes) throws IOException {
    long seed = Long.getLong("lakestream.seed", System.nanoTime());
    System.out.println("PrimaryKeyOverlayReaderTest: -Dlakestream.seed=" + seed);
    Random random = new Random(seed);
    Map<Long, String> expected = new HashMap<>();
    Object[][] base = new Object[400][];
    for (int i = 0; i < base.length; i++) {
      base[i] = row(i, "b" + i);
      expected.put((long) i, "b" + i);
    }
    lake.base("/lake/base", base);
    for (long key = 350; key < 450; key++) {
      if (random.nextBoolean()) {
        lake.change("g", "" + key, row(key, "l" + key));
        expected.put(key, "l" + key);
      } else {
        lake.change("g", "" + key);
        expected.remove(key);
      }
    }
    for (int change = 0; change < 3_000; change++) {
      long key = random.nextInt(700);
      String value = "t".repeat(random.nextInt(30)) + change;
      if (random.nextInt(3) == 0) {
        log.add(DELETE, row(key, "old"));
        expected.remove(key);
      } else {
        log.add(random.nextBoolean() ? INSERT : UPDATE_AFTER, row(key, value));
        expected.put(key, value);
      }
    }
    List<String> all =
        expected.entrySet().stream().map(e -> e.getKey() + "," + e.getValue()).toList();
    memory = new TailMemory(rows, bytes);

    assertThat(read("id,v", slice(BASE, LOG))).containsExactlyInAnyOrderElementsOf(all);
    assertThat(counters.spilledBytes).isPositive();
    long overridden = counters.overriddenRows;
    memory = new TailMemory(1_000_000, 1 << 30);
    assertThat(read("v", slice(BASE, LOG))).containsExactlyInAnyOrderElementsOf(expected.values());
    assertThat(counters.overriddenRows).as("whatever the passes").isEqualTo(2 * overridden);
  }

  @Test
  void filesOfATailAreRemovedWhenAReadIsGivenUp() throws IOException {
    lake.base("/lake/base", row(1, "b1"), row(2, "b2"), row(3, "b3"));
    for (long key = 0; key < 100; key++) {
      log.add(INSERT, row(key + 2, "t"));
    }
    memory = new TailMemory(5, 1 << 20);
    for (int batches = 0; batches < 4; batches++) {
      try (PrimaryKeyOverlayReader reader = open(columns("id"), slice(BASE))) {
        for (int i = 0; i < batches; i++) {
          assertThat(reader.next()).isTrue();
          try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).isNotEmpty();
          }
        }
      }
      assertNoFiles();
    }
  }

  @Test
  void filesOfATailAreRemovedWhenTheLakeOrTheLogFails() throws IOException {
    for (long key = 0; key < 100; key++) {
      log.add(INSERT, row(key, "t"));
    }
    memory = new TailMemory(5, 1 << 20);
    try (PrimaryKeyOverlayReader reader = open(columns("id"), slice(BASE))) {
      assertThatThrownBy(reader::next).isInstanceOf(NullPointerException.class);
    }
    assertNoFiles();

    log.failAfterRecords = 50;
    try (PrimaryKeyOverlayReader reader = open(columns("id"), slice(BASE))) {
      assertThatThrownBy(reader::next).isInstanceOf(IOException.class).hasMessage("after 50");
    }
    assertNoFiles();
    assertThat(log.openReaders).isZero();
  }
}
