package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.options.OptionLayer;
import io.lakestream.spark.options.OptionResolver;
import io.lakestream.spark.read.ReadContext;
import io.lakestream.spark.read.UnionScanBuilder;
import io.lakestream.spark.write.UnionWriteBuilder;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.ColumnDefaultValue;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsRowLevelOperations;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TruncatableTable;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.RowLevelOperationBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.collection.JavaConverters;

/**
 * A table in two tiers as Spark sees it. It holds what was true when Spark resolved it (schema and
 * table id), never a snapshot: each query takes its own. Tables are equal by value, so that cached
 * plans are found again. Both entry points, the catalog and {@code format("lakestream")}, give this
 * class.
 */
class LakestreamTable
    implements SupportsRead, SupportsWrite, SupportsRowLevelOperations, TruncatableTable {
  private final String name;
  private final Tiers tiers;
  private final LogTable table;
  private final boolean lakeOnly;
  private final List<OptionLayer> layers;

  /**
   * Describes a table.
   *
   * @param name the name that users see
   * @param lakeOnly whether it is the lake alone
   * @param layers the options of the catalog, or of {@code format("lakestream")}
   */
  LakestreamTable(
      String name, Tiers tiers, LogTable table, boolean lakeOnly, List<OptionLayer> layers) {
    this.name = name;
    this.tiers = tiers;
    this.table = table;
    this.lakeOnly = lakeOnly;
    this.layers = List.copyOf(layers);
  }

  Tiers tiers() {
    return tiers;
  }

  LogTable description() {
    return table;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public StructType schema() {
    return table.schema().toSpark();
  }

  /**
   * The schema's columns; those that may be null default to it, so that {@code INSERT} with a
   * column list writes NULL to the others.
   */
  @Override
  public Column[] columns() {
    return Arrays.stream(schema().fields())
        .map(
            field ->
                Column.create(
                    field.name(),
                    field.dataType(),
                    field.nullable(),
                    field.getComment().getOrElse(() -> null),
                    field.nullable() ? nullOf(field.dataType()) : null,
                    null))
        .toArray(Column[]::new);
  }

  private static ColumnDefaultValue nullOf(DataType type) {
    return new ColumnDefaultValue("NULL", new LiteralValue<>(null, type));
  }

  @Override
  public Transform[] partitioning() {
    return table.partitionColumns().stream().map(Expressions::identity).toArray(Transform[]::new);
  }

  @Override
  public Map<String, String> properties() {
    Map<String, String> properties = new HashMap<>(table.customProperties());
    properties.putAll(table.properties());
    TableDefinition.describe(table, properties);
    return properties;
  }

  @Override
  public Set<TableCapability> capabilities() {
    if (lakeOnly) {
      return EnumSet.of(TableCapability.BATCH_READ);
    }
    // Streaming reads and overwrites are declared so that our own errors, not Spark's general ones,
    // tell what to do instead.
    return EnumSet.of(
        TableCapability.BATCH_READ,
        TableCapability.MICRO_BATCH_READ,
        TableCapability.BATCH_WRITE,
        TableCapability.TRUNCATE,
        TableCapability.OVERWRITE_BY_FILTER,
        TableCapability.OVERWRITE_DYNAMIC);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new UnionScanBuilder(readContext(options.asCaseSensitiveMap()));
  }

  /** What a read with these options needs to know. */
  ReadContext readContext(Map<String, String> options) {
    OptionResolver resolver = resolver(options);
    return new ReadContext(
        tiers.log(), table, tiers.lakes(), LakeLocator.locate(table, resolver), lakeOnly, resolver);
  }

  private OptionResolver resolver(Map<String, String> options) {
    Map<String, String> session =
        JavaConverters.mapAsJavaMapConverter(SparkSession.active().conf().getAll()).asJava();
    OptionResolver connected = new OptionResolver(table.path(), layers);
    OptionResolver resolver =
        connected
            .with(table.path(), OptionLayer.table(table.customProperties()))
            .with(table.path(), OptionLayer.session(session));
    if (options.isEmpty()) {
      return resolver;
    }
    OptionLayer query = OptionLayer.query(options);
    ConnectionOptions.requireSame(table.path(), connected, query);
    return resolver.with(table.path(), query);
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new UnionWriteBuilder(tiers.log(), table, resolver(info.options().asCaseSensitiveMap()));
  }

  @Override
  public boolean truncateTable() {
    throw LakestreamException.of(
        ErrorCode.UNSUPPORTED_OPERATION,
        table.path(),
        "TRUNCATE and DELETE of all rows are not offered.",
        "Drop the table and create it again.");
  }

  @Override
  public RowLevelOperationBuilder newRowLevelOperationBuilder(RowLevelOperationInfo info) {
    throw LakestreamException.of(
        ErrorCode.UNSUPPORTED_OPERATION,
        table.path(),
        info.command() + " is not offered.",
        "Upsert rows of primary-key tables with INSERT INTO; delete keys with the Fluss client.");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LakestreamTable that
        && name.equals(that.name)
        && tiers.log().address().equals(that.tiers.log().address())
        && table.equals(that.table)
        && lakeOnly == that.lakeOnly
        && layers.equals(that.layers);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, table.tableId(), lakeOnly);
  }

  @Override
  public String toString() {
    return name;
  }
}
