package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.options.OptionLayer;
import io.lakestream.spark.read.PartitionLister;
import io.lakestream.spark.types.PartitionKey;
import io.lakestream.spark.types.PartitionValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.SupportsPartitionManagement;
import org.apache.spark.sql.types.StructType;

/**
 * A partitioned table: also lists, creates and drops partitions. A partition that Fluss has dropped
 * is listed as long as the lake has rows of it.
 */
final class PartitionedLakestreamTable extends LakestreamTable
    implements SupportsPartitionManagement {

  PartitionedLakestreamTable(
      String name, Tiers tiers, LogTable table, boolean lakeOnly, List<OptionLayer> layers) {
    super(name, tiers, table, lakeOnly, layers);
  }

  @Override
  public StructType partitionSchema() {
    return description().partitionSchema();
  }

  @Override
  public InternalRow[] listPartitionIdentifiers(String[] names, InternalRow identifier) {
    StructType schema = partitionSchema();
    List<String> columns = Arrays.asList(schema.fieldNames());
    List<InternalRow> found = new ArrayList<>();
    for (PartitionKey key : PartitionLister.list(readContext(Map.of()))) {
      boolean matches = true;
      for (int i = 0; i < names.length; i++) {
        int ordinal = columns.indexOf(names[i]);
        Object wanted = identifier.get(i, schema.apply(ordinal).dataType());
        matches &= key.values().get(ordinal).equals(wanted);
      }
      if (matches) {
        found.add(new GenericInternalRow(key.values().toArray()));
      }
    }
    return found.toArray(new InternalRow[0]);
  }

  @Override
  public void createPartition(InternalRow identifier, Map<String, String> properties) {
    tiers().log().createPartition(description(), spell(identifier));
  }

  @Override
  public boolean dropPartition(InternalRow identifier) {
    tiers().log().dropPartition(description(), spell(identifier));
    return true;
  }

  private List<String> spell(InternalRow identifier) {
    List<String> values = new ArrayList<>();
    StructType schema = partitionSchema();
    for (int i = 0; i < schema.length(); i++) {
      String column = schema.apply(i).name();
      Object value = identifier.get(i, schema.apply(i).dataType());
      values.add(PartitionValues.spell(value, description().schema().column(column).type()));
    }
    return values;
  }

  @Override
  public Map<String, String> loadPartitionMetadata(InternalRow identifier) {
    return Map.of();
  }

  @Override
  public void replacePartitionMetadata(InternalRow identifier, Map<String, String> properties) {
    throw LakestreamException.of(
        ErrorCode.UNSUPPORTED_OPERATION,
        description().path(),
        "partitions have no properties.",
        "Set properties on the table.");
  }
}
