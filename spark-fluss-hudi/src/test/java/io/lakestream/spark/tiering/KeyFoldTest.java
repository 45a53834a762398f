package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.lake.LakeBucketWriter;
import io.lakestream.spark.lake.LakeWriteResult;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.spill.SpillSpace;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fold of a bucket's changes, in memory and beyond it. */
class KeyFoldTest {
  private static final TableSchema SCHEMA =
      new TableSchema(
          List.of(
              new TableColumn("v", LogicalType.of(Kind.STRING), null),
              new TableColumn("k", LogicalType.of(Kind.BIGINT), null)));

  @TempDir Path directory;

  @Test
  void changesThatFitStayInMemory() throws IOException {
    assertThat(foldRandomChanges(1 << 20, 100, 1_000)).isFalse();
  }

  @Test
  void changesBeyondTheLimitGoToDiskAndTheAnswerIsTheSame() throws IOException {
    assertThat(foldRandomChanges(20_000, 2_000, 20_000)).isTrue();
  }

  @Test
  void aLimitBelowASingleChangeStillFolds() throws IOException {
    assertThat(foldRandomChanges(1, 200, 1_000)).isTrue();
  }

  /** Folds and compares with a map; returns whether changes went to disk. */
  private boolean foldRandomChanges(long limit, int keys, int count) throws IOException {
    long seed = Long.getLong("lakestream.seed", System.nanoTime());
    System.out.println("KeyFoldTest: -Dlakestream.seed=" + seed);
    Random random = new Random(seed);
    Map<Long, String> expected = new HashMap<>();
    Collector collector = new Collector();
    boolean spilled;
    SpillSpace space = plain(directory);
    try (KeyFold fold = new KeyFold(SCHEMA, List.of("k"), limit, () -> space)) {
      for (int offset = 0; offset < count; offset++) {
        long key = random.nextInt(keys);
        String value = "v".repeat(random.nextInt(20)) + offset;
        ChangeKind kind = ChangeKind.values()[random.nextInt(ChangeKind.values().length)];
        fold.add(kind, row(value, key), offset, 7L * offset);
        switch (kind) {
          case INSERT, UPDATE_AFTER -> expected.put(key, value + "@" + offset + "," + 7L * offset);
          case DELETE -> expected.put(key, "deleted");
          case UPDATE_BEFORE -> {}
        }
      }
      fold.writeTo(collector);
      spilled = fold.hasSpilled();
    }
    assertThat(collector.changes).isEqualTo(expected);
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
    return spilled;
  }

  /** A space without encryption. */
  static SpillSpace plain(Path directory) {
    SparkConf conf = new SparkConf(false);
    return new SpillSpace(directory, new SerializerManager(new JavaSerializer(conf), conf));
  }

  private static InternalRow row(String value, long key) {
    return new GenericInternalRow(new Object[] {UTF8String.fromString(value), key});
  }

  /** Keeps what it is given, and refuses a second change of a key. */
  private static final class Collector implements LakeBucketWriter {
    private final Map<Long, String> changes = new HashMap<>();

    @Override
    public void write(InternalRow row, long offset, long timestamp) {
      put(row, row.getUTF8String(0) + "@" + offset + "," + timestamp);
    }

    @Override
    public void delete(InternalRow row) {
      put(row, "deleted");
    }

    private void put(InternalRow row, String change) {
      assertThat(changes.put(row.getLong(1), change)).isNull();
    }

    @Override
    public LakeWriteResult finish() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }
}
