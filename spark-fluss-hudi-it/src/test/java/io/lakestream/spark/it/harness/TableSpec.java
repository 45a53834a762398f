package io.lakestream.spark.it.harness;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.fluss.types.DataTypes;
import org.apache.fluss.types.RowType;
import org.apache.spark.sql.types.StructType;

/**
 * A table to create. Immutable; the methods give changed copies.
 *
 * @param columns names and types as Fluss spells them, for example {@code id INT NOT NULL, t
 *     TIMESTAMP(3)}
 * @param primaryKey the key columns, empty for a log table
 * @param partitionColumns the partition columns, empty if unpartitioned
 * @param bucketColumns the columns that are hashed to a bucket, empty for Fluss's default
 * @param buckets the number of buckets
 * @param properties table properties, Fluss's own and others
 */
public record TableSpec(
    String columns,
    List<String> primaryKey,
    List<String> partitionColumns,
    List<String> bucketColumns,
    int buckets,
    Map<String, String> properties) {
  /** A log table, with the record key that Fluss wants for a lake table; it promises nothing. */
  public static TableSpec log(String columns) {
    return new TableSpec(columns, List.of(), List.of(), List.of(), 1, Map.of())
        .property(
            "hudi.hoodie.datasource.write.recordkey.field", parse(columns).getFieldNames().get(0));
  }

  public static TableSpec keyed(String columns, String... primaryKey) {
    return new TableSpec(columns, List.of(primaryKey), List.of(), List.of(), 1, Map.of());
  }

  public TableSpec partitionedBy(String... names) {
    return new TableSpec(columns, primaryKey, List.of(names), bucketColumns, buckets, properties);
  }

  public TableSpec buckets(int count, String... names) {
    return new TableSpec(columns, primaryKey, partitionColumns, List.of(names), count, properties);
  }

  public TableSpec property(String key, String value) {
    Map<String, String> all = new TreeMap<>(properties);
    all.put(key, value);
    return new TableSpec(columns, primaryKey, partitionColumns, bucketColumns, buckets, all);
  }

  /** The columns as Spark must see them. */
  public StructType structType() {
    return ExpectedTypes.struct(rowType());
  }

  RowType rowType() {
    return rowType(List.of());
  }

  /** The columns after changes, some of which may add columns. */
  RowType rowType(List<Change> changes) {
    return parse(Change.columnsAfter(columns, changes));
  }

  List<Integer> keyPositions() {
    List<String> names = rowType().getFieldNames();
    return primaryKey.stream().map(names::indexOf).toList();
  }

  private static RowType parse(String columns) {
    return (RowType) DataTypes.parse("ROW<" + columns + ">");
  }
}
