package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.PlacementCase;
import io.lakestream.spark.it.harness.ScanMetrics;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.fluss.bucketing.BucketingFunction;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.encode.KeyEncoder;
import org.apache.fluss.types.DataTypes;
import org.apache.fluss.types.RowType;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The seam between the lake snapshot and the tail of the log. */
class SeamTest extends IntegrationTest {
  private static final TableSpec EVENTS =
      TableSpec.log("id BIGINT, v INT, dt STRING").partitionedBy("dt").buckets(2);
  private static final TableSpec KEYED_EVENTS =
      TableSpec.keyed("id BIGINT, v INT, dt STRING", "id", "dt").partitionedBy("dt").buckets(2);
  private static final String LATE_EVENTS = "SELECT count(*) FROM {t} WHERE v > 7000";

  private static final int ACCOUNTS = 60;
  private static final int BUCKETS = 4;
  private static final TableSpec ACCOUNT =
      TableSpec.keyed("id BIGINT, s STRING", "id").buckets(BUCKETS);
  private static final TableSpec PARTITIONED_ACCOUNT =
      TableSpec.keyed("id BIGINT, s STRING, p STRING", "id", "p")
          .partitionedBy("p")
          .buckets(BUCKETS);

  @TestFactory
  @Tag("R-01")
  Stream<DynamicNode> filterThatNoLakeFileMatches() {
    return run(
        List.of(
            PlacementCase.of("R-01 log", EVENTS)
                .lake(put(tieredEvents()))
                .tail(put(event(801, 7001), event(802, 7002), event(803, 7003), event(804, 7004)))
                .query(LATE_EVENTS, row(4L))
                .query("SELECT count(*), max(v) FROM {t} WHERE dt = 'a'", row(804L, 7004)),
            PlacementCase.of("R-01 PK", KEYED_EVENTS)
                .lake(put(tieredEvents()))
                .tail(put(event(801, 7001), event(802, 7002), event(1, 7003), event(2, 7004)))
                .query(LATE_EVENTS, row(4L))
                .query("SELECT count(*), min(v) FROM {t}", row(802L, 3))));
  }

  @Test
  @Tag("R-01")
  void readsOnlyTheTailOfTheLog() {
    TestTable table = create("ev", EVENTS);
    table.apply(put(tieredEvents()));
    table.tier();
    table.apply(put(event(801, 7001), event(802, 7002), event(803, 7003), event(804, 7004)));

    for (EntryPoint entryPoint : List.of(EntryPoint.CATALOG, EntryPoint.FORMAT)) {
      ScanMetrics metrics = ScanMetrics.of(table.dataset(entryPoint, LATE_EVENTS));
      assertThat(metrics.sum(ScanMetrics.LOG_ROWS)).as("%s", entryPoint).isEqualTo(4);
    }
  }

  @Test
  @Tag("R-01")
  void readsOnlyTheTailOfTheChangelog() {
    TestTable table = create("ev", KEYED_EVENTS);
    table.apply(put(tieredEvents()));
    table.tier();
    table.apply(put(event(801, 7001), event(802, 7002), event(1, 7003), event(2, 7004)));

    ScanMetrics metrics = ScanMetrics.of(table.dataset(EntryPoint.CATALOG, LATE_EVENTS));

    // Two inserts, and two updates with a record before and a record after each.
    assertThat(metrics.sum(ScanMetrics.LOG_ROWS)).isBetween(4L, 6L);
  }

  @TestFactory
  @Tag("R-02")
  Stream<DynamicNode> bucketsWithoutLakeFiles() {
    return run(
        withAccountQueries(
            PlacementCase.of("R-02 (a)", ACCOUNT)
                .lake(put(accounts("s", id -> bucketOf(id) == 1)))
                .tail(put(accounts("t", id -> true)))));
  }

  @TestFactory
  @Tag("R-02")
  Stream<DynamicNode> noTail() {
    return run(
        List.of(
            withAccountQueries(
                PlacementCase.of("R-02 (b)", ACCOUNT).lake(put(accounts("s", id -> true)))),
            withAccountQueries(
                PlacementCase.of("R-02 (b) partitioned", PARTITIONED_ACCOUNT)
                    .lake(put(partitioned(accounts("s", id -> true)))))));
  }

  @TestFactory
  @Tag("R-02")
  Stream<DynamicNode> tailInOneBucket() {
    List<Row> tail = accounts("t", id -> bucketOf(id) == 2);
    return run(
        List.of(
            withAccountQueries(
                PlacementCase.of("R-02 (c)", ACCOUNT)
                    .lake(put(accounts("s", id -> true)))
                    .tail(put(tail))),
            withAccountQueries(
                PlacementCase.of("R-02 (c) partitioned", PARTITIONED_ACCOUNT)
                    .lake(put(partitioned(accounts("s", id -> true))))
                    .tail(put(partitioned(tail))))));
  }

  @TestFactory
  @Tag("R-02")
  Stream<DynamicNode> noRowsAtAll() {
    return run(
        List.of(
            PlacementCase.of("empty log", TableSpec.log("id BIGINT, s STRING").buckets(2))
                .queryWithoutRows("SELECT * FROM {t}")
                .query("SELECT count(*) FROM {t}", row(0L)),
            PlacementCase.of("empty PK", ACCOUNT)
                .queryWithoutRows("SELECT * FROM {t}")
                .query("SELECT count(*) FROM {t}", row(0L)),
            PlacementCase.of("no partitions", PARTITIONED_ACCOUNT)
                .queryWithoutRows("SELECT * FROM {t}")
                .query("SELECT count(*) FROM {t} WHERE p = 'p1'", row(0L))));
  }

  @Test
  void keysOfEveryBucketExist() {
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      int wanted = bucket;
      assertThat(accounts("s", id -> bucketOf(id) == wanted)).as("bucket %s", bucket).isNotEmpty();
    }
  }

  private static PlacementCase withAccountQueries(PlacementCase accounts) {
    return accounts
        .query("SELECT count(*), count(DISTINCT id) FROM {t}", row(60L, 60L))
        .query("SELECT id, s FROM {t} ORDER BY id LIMIT 5");
  }

  private static Row event(long id, int v) {
    return row(id, v, "a");
  }

  private static List<Row> tieredEvents() {
    return IntStream.rangeClosed(1, 800).mapToObj(v -> event(v, v)).toList();
  }

  private static List<Row> accounts(String prefix, IntPredicate wanted) {
    return IntStream.range(0, ACCOUNTS)
        .filter(wanted)
        .mapToObj(id -> row((long) id, prefix + id))
        .toList();
  }

  private static List<Row> partitioned(List<Row> accounts) {
    List<Row> result = new ArrayList<>();
    for (Row account : accounts) {
      result.add(row(account.get(0), account.get(1), "p" + account.getLong(0) % 3));
    }
    return result;
  }

  /** The bucket that Fluss gives to an account. */
  private static int bucketOf(int id) {
    RowType keyType = DataTypes.ROW(DataTypes.FIELD("id", DataTypes.BIGINT()));
    byte[] key =
        KeyEncoder.ofBucketKeyEncoder(keyType, List.of("id"), null)
            .encodeKey(GenericRow.of((long) id));
    return BucketingFunction.of(null).bucketing(key, BUCKETS);
  }
}
