package io.lakestream.spark.it.differential;

import io.lakestream.spark.it.harness.TableSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;

/**
 * A table, and the columns that it may get later.
 *
 * @param columns all columns, those that come later behind the others
 * @param initial how many columns the table has at first
 * @param key the names of the key columns, empty for a log table
 * @param partitions the names of the partition columns
 * @param bucketColumns the names of the bucket columns, empty for Fluss's default
 * @param buckets the number of buckets
 * @param lake whether its names are such that it can be tiered
 */
record TableShape(
    List<Column> columns,
    int initial,
    List<String> key,
    List<String> partitions,
    List<String> bucketColumns,
    int buckets,
    boolean lake) {
  boolean isKeyed() {
    return !key.isEmpty();
  }

  /** Whether the column is one of the key's or of the partition's. */
  boolean isIdentity(Column column) {
    return key.contains(column.name()) || partitions.contains(column.name());
  }

  TableSpec spec() {
    String names = text(initial);
    TableSpec spec =
        isKeyed() ? TableSpec.keyed(names, key.toArray(String[]::new)) : TableSpec.log(names);
    return spec.partitionedBy(partitions.toArray(String[]::new))
        .buckets(buckets, bucketColumns.toArray(String[]::new));
  }

  /** The first {@code count} columns as Fluss spells them. */
  String text(int count) {
    return columns.subList(0, count).stream().map(Column::fluss).collect(Collectors.joining(", "));
  }

  /** The first {@code count} columns as Spark must see them. */
  StructType structType(int count) {
    return TableSpec.log(text(count)).structType();
  }

  List<Integer> positions(List<String> names) {
    return IntStream.range(0, columns.size())
        .filter(position -> names.contains(columns.get(position).name()))
        .boxed()
        .toList();
  }

  /** A row with a value for every column, those that come later too. */
  Row draw(Random random) {
    List<Object> values = new ArrayList<>();
    for (Column column : columns) {
      if (partitions.contains(column.name())) {
        values.add(PartitionValues.of((ScalarType) column.type(), random.nextInt(2)));
      } else if (key.contains(column.name())) {
        values.add(((ScalarType) column.type()).key(random.nextInt(keysPerColumn())));
      } else if (bucketColumns.contains(column.name())) {
        // Fluss hashes no nulls.
        values.add(column.type().draw(random));
      } else {
        values.add(column.type().drawOrNull(random));
      }
    }
    return RowFactory.create(values.toArray());
  }

  /** Few enough for a key to come again. */
  private int keysPerColumn() {
    return key.size() - partitions.size() > 1 ? 4 : ScalarType.KEYS;
  }

  /** A row of which only the key has values. */
  Row deletion(Row row) {
    Object[] values = new Object[columns.size()];
    positions(key).forEach(position -> values[position] = row.get(position));
    return RowFactory.create(values);
  }
}
