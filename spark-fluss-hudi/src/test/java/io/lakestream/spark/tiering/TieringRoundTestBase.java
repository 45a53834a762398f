package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeWriteResult;
import io.lakestream.spark.lake.LakeWriteSplit;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.PartitionKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.spark.unsafe.types.UTF8String;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A round on fakes of both tiers. */
abstract class TieringRoundTestBase {
  static final LogBucket FIRST = new LogBucket(null, 0);
  static final LogBucket SECOND = new LogBucket(null, 1);
  static final String INSTANT = "20260101000000000";
  static final String NEXT_INSTANT = "20260101000000001";

  final List<String> operations = new ArrayList<>();
  final FakeLakeTables lake = new FakeLakeTables(operations);
  FakeLogCluster cluster = new FakeLogCluster(TestTables.log(2), operations);
  UnaryOperator<List<LakeWriteResult>> transport = UnaryOperator.identity();
  Optional<String> offsetsFile = Optional.empty();
  TieringSettings settings = TieringSettings.at("/lake");
  TableOwner owner = TableOwner.NOBODY;

  RoundResult run() {
    RoundExecutor executor =
        tasks -> {
          operations.add("write");
          List<LakeWriteResult> results = new ArrayList<>();
          for (BucketTask task : tasks) {
            try {
              results.add(task.run());
            } catch (IOException failure) {
              throw new UncheckedIOException(failure);
            }
          }
          return transport.apply(results);
        };
    TieringRound round = new TieringRound(cluster, lake, executor, path -> offsetsFile, owner);
    return round.run(cluster.table.path(), settings);
  }

  void use(LogTable table) {
    cluster = new FakeLogCluster(table, operations);
  }

  void append(LogBucket bucket, int id, String name) {
    cluster.append(bucket, ChangeKind.INSERT, id, UTF8String.fromString(name));
  }

  void partition(long id, String name) {
    cluster.partitions.add(
        new LogPartition(id, name, new PartitionKey(List.of(UTF8String.fromString(name)))));
  }

  void change(ChangeKind kind, int id, String name) {
    cluster.append(FIRST, kind, id, UTF8String.fromString(name));
  }

  static LakeWriteResult foreign(LakeWriteResult result) {
    LakeWriteSplit split = result.split();
    return new LakeWriteResult(
        new LakeWriteSplit(
            "other round",
            split.instant(),
            split.tableId(),
            split.bucket(),
            split.fileGroup(),
            split.index(),
            split.count(),
            split.roundTimestamp()),
        result.rows(),
        result.deletes(),
        result.bytes(),
        result.files());
  }

  static LogTable withId(LogTable table, long id) {
    return new LogTable(
        table.path(),
        id,
        table.schemaId(),
        table.schema(),
        table.primaryKey(),
        table.partitionColumns(),
        table.bucketColumns(),
        table.buckets(),
        table.properties(),
        table.customProperties(),
        table.comment());
  }

  static void assertFails(ThrowingCallable action, ErrorCode code, String... parts) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            LakestreamException.class, failure -> assertThat(failure.code()).isEqualTo(code))
        .hasMessageContainingAll(parts);
  }
}
