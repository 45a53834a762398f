package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.delete;
import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.it.harness.Answer;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.SnapshotPin;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** What a query sees: one snapshot, a new one for the next action, or a pinned one. */
class SnapshotTest extends IntegrationTest {
  private static final TableSpec LOG = TableSpec.log("id INT, v INT");
  private static final TableSpec KEYED = TableSpec.keyed("id INT, v INT", "id");
  private static final int QUERIES_UNDER_WRITES = 8;

  @Test
  void scansOfOneQueryShareASnapshot() throws Exception {
    TestTable table = create("busy", KEYED);
    table.apply(put(row(-1, 0), row(-2, 0)));
    table.tier();
    AtomicBoolean stop = new AtomicBoolean();
    CompletableFuture<Integer> writer =
        CompletableFuture.supplyAsync(
            () -> {
              int id = 0;
              while (!stop.get()) {
                table.apply(put(row(id, id)));
                id++;
              }
              return id;
            });
    try {
      for (int i = 0; i < QUERIES_UNDER_WRITES; i++) {
        for (EntryPoint entryPoint : List.of(EntryPoint.CATALOG, EntryPoint.FORMAT)) {
          assertOneSnapshot(table, entryPoint);
        }
      }
    } finally {
      stop.set(true);
      assertThat(writer.get(1, TimeUnit.MINUTES)).as("rows written meanwhile").isPositive();
    }
  }

  private static void assertOneSnapshot(TestTable table, EntryPoint entryPoint) {
    List<Row> counts =
        table
            .dataset(
                entryPoint,
                "SELECT count(*), (SELECT count(*) FROM {t}), (SELECT max(id) FROM {t}),"
                    + " max(l.id),"
                    + " count_if(l.id IS NULL OR r.id IS NULL)"
                    + " FROM {t} l FULL OUTER JOIN (SELECT id FROM {t} WHERE v >= 0) r"
                    + " ON l.id = r.id")
            .collectAsList();
    Row row = counts.get(0);
    assertThat(row.getLong(0)).as("%s: %s", entryPoint, row).isEqualTo(row.getLong(1));
    assertThat(row.getInt(2)).as("%s: %s", entryPoint, row).isEqualTo(row.getInt(3));
    assertThat(row.getLong(4)).as("%s: %s", entryPoint, row).isZero();
  }

  @Test
  void nextActionSeesNewRows() {
    TestTable table = create("grows", LOG);
    table.apply(put(row(1, 1)));
    Dataset<Row> byCatalog = table.dataset(EntryPoint.CATALOG, "SELECT * FROM {t} WHERE v > 0");
    Dataset<Row> byFormat = table.load().where("v > 0");
    assertThat(byCatalog.count()).isEqualTo(1);
    assertThat(byFormat.count()).isEqualTo(1);

    table.apply(put(row(2, 2)));
    assertThat(byCatalog.count()).isEqualTo(2);
    assertThat(byFormat.count()).isEqualTo(2);

    table.tier();
    table.apply(put(row(3, 3)));
    assertThat(byCatalog.count()).isEqualTo(3);
    assertThat(byFormat.count()).isEqualTo(3);
  }

  @Test
  void cacheTableAndRefreshTable() {
    TestTable table = create("cached", LOG);
    String count = "SELECT count(*) FROM {t}";
    table.apply(put(row(1, 1), row(2, 2)));

    sql("CACHE TABLE " + table.sqlName());
    assertRows(EntryPoint.CATALOG, table, count, row(2L));
    table.apply(put(row(3, 3)));
    assertRows(EntryPoint.CATALOG, table, count, row(2L));

    sql("REFRESH TABLE " + table.sqlName());
    assertRows(EntryPoint.CATALOG, table, count, row(3L));
    table.apply(put(row(4, 4)));
    assertRows(EntryPoint.CATALOG, table, count, row(3L));

    sql("UNCACHE TABLE " + table.sqlName());
    assertRows(EntryPoint.CATALOG, table, count, row(4L));
  }

  @Test
  void cachedDataFrame() {
    TestTable table = create("cached", KEYED);
    table.apply(put(row(1, 1), row(2, 2)));
    Dataset<Row> read = table.load().cache();
    assertThat(read.count()).isEqualTo(2);

    table.apply(put(row(3, 3)));
    assertThat(read.count()).isEqualTo(2);
    assertThat(table.load().count()).as("an equal read finds the cached rows").isEqualTo(2);

    read.unpersist(true);
    assertThat(read.count()).isEqualTo(3);
  }

  @Test
  void pinReadsTheSameRowsAgain() throws Exception {
    TestTable table = create("pinned", KEYED);
    table.apply(put(row(1, 10), row(2, 20)));
    table.tier();
    table.apply(put(row(2, 21), row(3, 30)));
    Dataset<Row> read = table.load();
    Row[] pinned = {row(1, 10), row(2, 21), row(3, 30)};
    assertThat(Answer.of(read).rows())
        .containsExactlyInAnyOrderElementsOf(Answer.rows(List.of(pinned)));
    String pin = SnapshotPin.of(read);

    table.apply(put(row(1, 11)), delete(row(3, null)), put(row(4, 40)));
    assertPinned(table, pin, pinned);
    assertRows(table, "SELECT * FROM {t}", row(1, 11), row(2, 21), row(4, 40));

    table.tier();
    assertPinned(table, pin, pinned);

    Path file = environment().scratch("pins").resolve("pin.json");
    Files.writeString(file, pin);
    assertPinned(table, file.toString(), pinned);
  }

  @Test
  void pinOfALogTable() {
    TestTable table = create("pinned", LOG);
    table.apply(put(row(1, 10)));
    Dataset<Row> read = table.load();
    read.collectAsList();
    String pin = SnapshotPin.of(read);

    table.apply(put(row(2, 20)));
    table.tier();

    assertPinned(table, pin, row(1, 10));
    assertRows(table, "SELECT * FROM {t}", row(1, 10), row(2, 20));
  }

  private void assertPinned(TestTable table, String pin, Row... expected) {
    Dataset<Row> read = environment().format().option("snapshot.pin", pin).load(table.path());
    assertThat(Answer.of(read).rows())
        .containsExactlyInAnyOrderElementsOf(Answer.rows(List.of(expected)));
  }

  @Test
  void pinOfATableThatWasCreatedAgain() {
    TestTable table = create("again", LOG);
    table.apply(put(row(1, 10)));
    Dataset<Row> read = table.load();
    read.collectAsList();
    String pin = SnapshotPin.of(read);

    sql("DROP TABLE " + table.sqlName());
    sql("CREATE TABLE " + table.sqlName() + " (id INT, v INT)");
    table.apply(put(row(1, 99)));

    assertPinRefused(table, pin, "LAKESTREAM_(TABLE_REPLACED|INVALID_PIN)");
  }

  @Test
  void pinOfAnotherTable() {
    TestTable table = create("one", LOG);
    table.apply(put(row(1, 10)));
    TestTable other = create("other", LOG);
    other.apply(put(row(2, 20)));
    Dataset<Row> read = other.load();
    read.collectAsList();

    assertPinRefused(table, SnapshotPin.of(read), "LAKESTREAM_(TABLE_REPLACED|INVALID_PIN)");
  }

  @Test
  void pinThatCannotBeRead() {
    TestTable table = create("one", LOG);

    assertPinRefused(table, "{\"version\": 1", "LAKESTREAM_INVALID_PIN");
    assertPinRefused(table, "{}", "LAKESTREAM_INVALID_PIN");
    assertPinRefused(table, "/no/such/file.json", "LAKESTREAM_INVALID_PIN");
  }

  private void assertPinRefused(TestTable table, String pin, String code) {
    assertThatThrownBy(
            () ->
                environment()
                    .format()
                    .option("snapshot.pin", pin)
                    .load(table.path())
                    .collectAsList())
        .hasMessageFindingMatch(code)
        .hasMessageContaining(table.path());
  }
}
