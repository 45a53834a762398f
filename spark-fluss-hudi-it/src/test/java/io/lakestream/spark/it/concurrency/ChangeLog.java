package io.lakestream.spark.it.concurrency;

import io.lakestream.spark.it.concurrency.Digest.Pair;
import io.lakestream.spark.it.harness.Environment;
import io.lakestream.spark.it.harness.TestTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.client.table.scanner.log.LogScanner;
import org.apache.fluss.client.table.scanner.log.ScanRecords;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.record.ChangeType;

/**
 * All changes of an unpartitioned table {@code (id INT, v BIGINT)}, as the Fluss client itself
 * reads them: what the table held at any offsets is computed from here.
 */
final class ChangeLog {
  private static final Duration POLL = Duration.ofSeconds(1);

  private record Change(long offset, ChangeType type, Pair row) {}

  private final boolean keyed;
  private final Map<Integer, List<Change>> changes = new HashMap<>();

  private ChangeLog(boolean keyed) {
    this.keyed = keyed;
  }

  /** Reads everything up to the ends of the logs; nobody may write meanwhile. */
  static ChangeLog read(Environment environment, TestTable table) throws Exception {
    Map<Integer, Long> ends = table.logEnd();
    try (Table opened = environment.connection().getTable(table.flussPath());
        LogScanner scanner = opened.newScan().createLogScanner()) {
      ChangeLog log = new ChangeLog(opened.getTableInfo().hasPrimaryKey());
      long tableId = opened.getTableInfo().getTableId();
      Map<Integer, Long> positions = new HashMap<>();
      for (int bucket : ends.keySet()) {
        scanner.subscribeFromBeginning(bucket);
        positions.put(bucket, 0L);
        log.changes.put(bucket, new ArrayList<>());
      }
      while (ends.entrySet().stream()
          .anyMatch(end -> positions.get(end.getKey()) < end.getValue())) {
        ScanRecords records = scanner.poll(POLL);
        for (int bucket : ends.keySet()) {
          TableBucket tableBucket = new TableBucket(tableId, bucket);
          for (ScanRecord record : records.records(tableBucket)) {
            log.changes.get(bucket).add(change(record));
          }
          Long consumed = records.consumedUpToOffset(tableBucket);
          if (consumed != null) {
            positions.put(bucket, consumed);
          }
        }
      }
      return log;
    }
  }

  private static Change change(ScanRecord record) {
    return new Change(
        record.logOffset(),
        record.getChangeType(),
        new Pair(record.getRow().getInt(0), record.getRow().getLong(1)));
  }

  /** What the table holds when each bucket's log ends before an offset. */
  List<Pair> upTo(Map<Integer, Long> stops) {
    List<Pair> all = new ArrayList<>();
    stops.forEach((bucket, stop) -> all.addAll(upTo(changes.get(bucket), stop)));
    return all;
  }

  private List<Pair> upTo(List<Change> bucket, long stop) {
    List<Change> before = bucket.stream().filter(change -> change.offset() < stop).toList();
    if (!keyed) {
      return before.stream().map(Change::row).toList();
    }
    Map<Integer, Pair> latest = new HashMap<>();
    for (Change change : before) {
      switch (change.type()) {
        case INSERT, UPDATE_AFTER, APPEND_ONLY -> latest.put(change.row().id(), change.row());
        case DELETE -> latest.remove(change.row().id());
        case UPDATE_BEFORE -> {
          // The change that follows says what became of the row.
        }
      }
    }
    return List.copyOf(latest.values());
  }

  int size() {
    return changes.values().stream().mapToInt(List::size).sum();
  }
}
