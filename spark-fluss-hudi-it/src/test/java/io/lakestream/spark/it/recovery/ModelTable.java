package io.lakestream.spark.it.recovery;

import io.lakestream.spark.it.harness.Answer;
import io.lakestream.spark.it.harness.Change;
import io.lakestream.spark.it.harness.TestTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/**
 * A partitioned table {@code (id INT, s STRING, dt STRING[, extra BIGINT])} and what must be in it:
 * all rows, and those that were in the lake when Fluss was last told.
 */
final class ModelTable {
  private static final int KEYS = 25;

  final TestTable table;
  private final boolean keyed;
  private final List<Object[]> rows = new ArrayList<>();
  private final Map<List<Object>, Object[]> rowsByKey = new LinkedHashMap<>();
  private final List<String> partitions = new ArrayList<>();
  private List<List<Object>> reported = List.of();
  private int partitionCount;
  private int valueCount;
  private boolean extra;

  ModelTable(TestTable table, boolean keyed) {
    this.table = table;
    this.keyed = keyed;
  }

  boolean isKeyed() {
    return keyed;
  }

  /** Writes a few random changes, now and then into a new partition. */
  String write(Random random) {
    if (partitions.isEmpty() || random.nextInt(12) == 0) {
      partitions.add("p" + partitionCount++);
    }
    List<Change> changes = new ArrayList<>();
    int count = 1 + random.nextInt(8);
    for (int i = 0; i < count; i++) {
      changes.add(change(random));
    }
    table.apply(changes);
    return "write " + changes;
  }

  private Change change(Random random) {
    int id = random.nextInt(KEYS);
    String partition = partitions.get(random.nextInt(partitions.size()));
    Object[] row = extra ? new Object[4] : new Object[3];
    row[0] = id;
    row[2] = partition;
    if (keyed && random.nextInt(3) == 0) {
      rowsByKey.remove(List.of(id, partition));
      return Change.delete(RowFactory.create(row));
    }
    row[1] = random.nextInt(10) == 0 ? null : "v" + valueCount++;
    if (extra) {
      row[3] = random.nextInt(4) == 0 ? null : (Object) random.nextLong();
    }
    if (keyed) {
      rowsByKey.put(List.of(id, partition), row);
    } else {
      rows.add(row);
    }
    return Change.put(RowFactory.create(row));
  }

  void addColumn() {
    table.addColumn("extra", "BIGINT");
    extra = true;
  }

  boolean hasExtraColumn() {
    return extra;
  }

  /** Drops the oldest partition from the log, if there is another; its rows are in the lake. */
  boolean dropPartition() {
    if (partitions.size() < 2) {
      return false;
    }
    table.dropPartition(Map.of("dt", partitions.remove(0)));
    return true;
  }

  /** Notes that Fluss was told of everything that was written so far. */
  void wasReported() {
    reported = all();
  }

  List<List<Object>> all() {
    return (keyed ? rowsByKey.values() : rows).stream().map(this::whole).toList();
  }

  List<List<Object>> reported() {
    return reported.stream().map(row -> whole(row.toArray())).toList();
  }

  private List<Object> whole(Object[] row) {
    Row padded = RowFactory.create(extra ? Arrays.copyOf(row, 4) : row);
    return Answer.rows(List.of(padded)).get(0);
  }
}
