package io.lakestream.spark.it.differential;

import io.lakestream.spark.it.differential.NestedType.ArrayOf;
import io.lakestream.spark.it.differential.NestedType.MapOf;
import io.lakestream.spark.it.differential.NestedType.RowOf;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Draws tables: of both kinds, with columns of all types and with odd names. */
final class RandomShapes {
  private static final List<String> NAMES =
      List.of("id", "Select", "FROM", "lower", "UPPER", "Mixed_1", "_under", "order", "ts", "n");

  /** Names that Fluss and Spark can have, and Hudi not. */
  private static final List<String> ODD_NAMES =
      List.of("a b", "x.y", "ÄÖ", "1st", "x", "y-z", "größe in m", "Select", "a", "%");

  private static final List<ScalarType> KEY_TYPES =
      List.of(
          ScalarType.INT,
          ScalarType.BIGINT,
          ScalarType.STRING,
          ScalarType.TINYINT,
          ScalarType.SMALLINT,
          ScalarType.DATE,
          ScalarType.SHORT_DECIMAL,
          ScalarType.MOMENT);

  /** Types that {@code ALTER TABLE} can spell. */
  private static final List<ColumnType> ADDED_TYPES =
      List.of(
          ScalarType.BIGINT,
          ScalarType.STRING,
          ScalarType.DATE,
          ScalarType.DOUBLE,
          ScalarType.LONG_DECIMAL,
          new ArrayOf(ScalarType.STRING),
          new RowOf(List.of(new Column("a", ScalarType.INT), new Column("B", ScalarType.STRING))));

  private final Random random;
  private final List<String> names;
  private final List<String> fieldNames;
  private final boolean lake;

  RandomShapes(Random random) {
    this.random = random;
    this.lake = random.nextInt(6) != 0;
    this.names = shuffled(lake ? NAMES : ODD_NAMES);
    this.fieldNames = lake ? NAMES : ODD_NAMES;
  }

  TableShape draw() {
    boolean keyed = random.nextBoolean();
    int keys = keyed ? 1 + random.nextInt(2) : 0;
    int partitions = random.nextInt(5) < 2 ? 1 + random.nextInt(2) : 0;
    int others = 2 + random.nextInt(3);
    List<Column> key = columns(keys, KEY_TYPES);
    List<Column> partition = columns(partitions, PartitionValues.TYPES);
    List<Column> all = new ArrayList<>(key);
    all.addAll(partition);
    for (int i = 0; i < others; i++) {
      all.add(new Column(names.remove(0), type(2)));
    }
    Collections.shuffle(all, random);
    if (!keyed) {
      // The first column of a log table is also what Hudi calls its record key.
      all.add(0, new Column(names.remove(0), ScalarType.INT));
    }
    int initial = all.size();
    for (int i = random.nextInt(3); i > 0 && !names.isEmpty(); i--) {
      all.add(new Column(names.remove(0), ADDED_TYPES.get(random.nextInt(ADDED_TYPES.size()))));
    }
    List<String> partitionNames = namesOf(partition);
    List<String> keyNames = namesOf(key);
    List<String> buckets = List.of();
    if (keyed) {
      keyNames.addAll(partitionNames);
      buckets = random.nextBoolean() ? List.of() : List.of(key.get(0).name());
    } else if (random.nextBoolean()) {
      buckets = List.of(all.get(0).name());
    }
    return new TableShape(
        all,
        initial,
        keyed ? keyNames : List.of(),
        partitionNames,
        buckets,
        1 + random.nextInt(4),
        lake);
  }

  private static List<String> namesOf(List<Column> columns) {
    List<String> result = new ArrayList<>();
    columns.forEach(column -> result.add(column.name()));
    return result;
  }

  private List<Column> columns(int count, List<ScalarType> types) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      columns.add(new Column(names.remove(0), types.get(random.nextInt(types.size()))));
    }
    return columns;
  }

  private ColumnType type(int depth) {
    if (depth == 0 || random.nextInt(5) < 3) {
      return ScalarType.values()[random.nextInt(ScalarType.values().length)];
    }
    return switch (random.nextInt(3)) {
      case 0 -> new ArrayOf(type(depth - 1));
      case 1 -> new MapOf(type(depth - 1));
      default -> {
        List<Column> fields = new ArrayList<>();
        List<String> free = shuffled(fieldNames);
        for (int i = 1 + random.nextInt(2); i >= 0; i--) {
          fields.add(new Column(free.remove(0), type(depth - 1)));
        }
        yield new RowOf(fields);
      }
    };
  }

  private List<String> shuffled(List<String> list) {
    List<String> copy = new ArrayList<>(list);
    Collections.shuffle(copy, random);
    return copy;
  }
}
