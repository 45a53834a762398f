package io.lakestream.spark.it.tpch;

import io.lakestream.spark.it.harness.Change;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/**
 * How given rows come to be in a table, in three parts: the first is tiered (and compacted), the
 * second is tiered, the third stays in the log.
 *
 * @param base the first part
 * @param lake the second part
 * @param tail the third part
 */
record TpchHistory(List<Change> base, List<Change> lake, List<Change> tail) {
  /** What happens to the rows of a primary-key table, by their number modulo this many. */
  private static final int FATES = 6;

  private static final int GHOST_EVERY = 10;

  /** Ghosts have keys beyond all others. */
  private static final int GHOST_KEYS = 1_000_000;

  private TpchHistory() {
    this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  }

  /** Appends the rows in three parts. */
  static TpchHistory log(List<Row> rows) {
    TpchHistory history = new TpchHistory();
    int size = rows.size();
    history.base.add(Change.put(rows.subList(0, size / 3)));
    history.lake.add(Change.put(rows.subList(size / 3, size * 2 / 3)));
    history.tail.add(Change.put(rows.subList(size * 2 / 3, size)));
    return history;
  }

  /**
   * Upserts the rows, many of them first with the values of other rows, and upserts and deletes
   * some whose keys are not among them.
   */
  static TpchHistory keyed(TpchTable table, List<Row> rows) {
    TpchHistory history = new TpchHistory();
    List<List<Row>> puts = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    List<List<Row>> deletes = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      Row stale = withKeyOf(table, row, rows.get((i + rows.size() / 2) % rows.size()));
      switch (i % FATES) {
        case 0 -> puts.get(0).add(row);
        case 1 -> puts.get(1).add(row);
        case 2 -> puts.get(2).add(row);
        case 3 -> {
          puts.get(0).add(stale);
          puts.get(1).add(row);
        }
        case 4 -> {
          puts.get(1).add(stale);
          puts.get(2).add(row);
        }
        default -> {
          puts.get(0).add(stale);
          deletes.get(1).add(row);
          puts.get(2).add(row);
        }
      }
      if (i % GHOST_EVERY == 0) {
        Row ghost = ghost(row);
        int dies = 1 + i / GHOST_EVERY % 2;
        puts.get(dies - 1).add(ghost);
        deletes.get(dies).add(ghost);
      }
    }
    List<List<Change>> parts = List.of(history.base, history.lake, history.tail);
    for (int part = 0; part < parts.size(); part++) {
      parts.get(part).add(Change.put(puts.get(part)));
      parts.get(part).add(Change.delete(deletes.get(part)));
    }
    return history;
  }

  private static Row withKeyOf(TpchTable table, Row key, Row values) {
    Object[] fields = new Object[values.size()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = table.keyPositions().contains(i) ? key.get(i) : values.get(i);
    }
    return RowFactory.create(fields);
  }

  private static Row ghost(Row row) {
    Object[] fields = new Object[row.size()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = row.get(i);
    }
    fields[0] =
        fields[0] instanceof Long number
            ? (Object) (number + GHOST_KEYS)
            : (Object) ((Integer) fields[0] + GHOST_KEYS);
    return RowFactory.create(fields);
  }
}
