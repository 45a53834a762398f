package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Scalar;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TableSchema;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * Checks that a lake table's stored types are those that the declared types are tiered as: CHAR as
 * string, TINYINT and SMALLINT as int, TIME as milliseconds, either timestamp with either
 * annotation in milliseconds or microseconds.
 */
final class SchemaAgreement {
  private static final String HUDI_PREFIX = "_hoodie_";
  private static final Set<String> SYSTEM_COLUMNS = Set.of("__bucket", "__offset", "__timestamp");

  private SchemaAgreement() {}

  /** Whether a lake column is never shown to users. */
  static boolean isSystemColumn(String name) {
    return name.startsWith(HUDI_PREFIX) || SYSTEM_COLUMNS.contains(name);
  }

  /**
   * Compares the declared columns with the lake's. A nullable column that the lake lacks is one
   * that was added later.
   *
   * @throws LakestreamException {@code SCHEMA_MISMATCH}
   */
  static void check(Object table, TableSchema declared, Schema lake) {
    for (TableColumn column : declared.columns()) {
      Schema.Field field = lake.getField(column.name());
      if (field == null) {
        if (!column.type().nullable()) {
          throw mismatch(
              table, "column " + column.name() + " " + column.type() + " is not in the lake table");
        }
      } else if (!agrees(column.type(), field.schema())) {
        throw mismatch(
            table,
            "column "
                + column.name()
                + " is declared as "
                + column.type()
                + " but stored in the lake as "
                + spell(field.schema()));
      }
    }
    for (Schema.Field field : lake.getFields()) {
      if (!isSystemColumn(field.name()) && declared.indexOf(field.name()) < 0) {
        throw mismatch(
            table,
            "the lake table has a column "
                + field.name()
                + " "
                + spell(field.schema())
                + " that is not declared");
      }
    }
  }

  static boolean agrees(LogicalType declared, Schema stored) {
    Schema schema = nonNull(stored);
    if (declared instanceof Scalar scalar) {
      return agrees(scalar, schema);
    } else if (declared instanceof LogicalType.Array array) {
      return schema.getType() == Schema.Type.ARRAY
          && agrees(array.element(), schema.getElementType());
    } else if (declared instanceof LogicalType.Map map) {
      return schema.getType() == Schema.Type.MAP
          && agrees(map.key(), Schema.create(Schema.Type.STRING))
          && agrees(map.value(), schema.getValueType());
    }
    LogicalType.Row row = (LogicalType.Row) declared;
    return schema.getType() == Schema.Type.RECORD
        && schema.getFields().size() == row.fields().size()
        && row.fields().stream()
            .allMatch(
                field ->
                    schema.getField(field.name()) != null
                        && agrees(field.type(), schema.getField(field.name()).schema()));
  }

  private static boolean agrees(Scalar declared, Schema schema) {
    Schema.Type type = schema.getType();
    String logical = logicalName(schema);
    return switch (declared.kind()) {
      case BOOLEAN -> type == Schema.Type.BOOLEAN;
      case TINYINT, SMALLINT, INTEGER -> type == Schema.Type.INT && logical.isEmpty();
      case BIGINT -> type == Schema.Type.LONG && logical.isEmpty();
      case FLOAT -> type == Schema.Type.FLOAT;
      case DOUBLE -> type == Schema.Type.DOUBLE;
      case DECIMAL ->
          schema.getLogicalType() instanceof LogicalTypes.Decimal decimal
              && decimal.getPrecision() == declared.precision()
              && decimal.getScale() == declared.scale();
      case CHAR, STRING -> type == Schema.Type.STRING;
      case BINARY, BYTES ->
          (type == Schema.Type.BYTES || type == Schema.Type.FIXED) && logical.isEmpty();
      case DATE -> logical.equals("date");
      case TIME -> logical.equals("time-millis");
      case TIMESTAMP, TIMESTAMP_LTZ ->
          switch (logical) {
            case "timestamp-millis",
                "timestamp-micros",
                "local-timestamp-millis",
                "local-timestamp-micros" ->
                true;
            default -> false;
          };
    };
  }

  /** The schema of the values that are not null. */
  static Schema nonNull(Schema schema) {
    if (schema.getType() != Schema.Type.UNION) {
      return schema;
    }
    return schema.getTypes().stream()
        .filter(branch -> branch.getType() != Schema.Type.NULL)
        .findFirst()
        .orElse(schema);
  }

  /** The name of the logical type, empty if there is none; also of types unknown to Avro. */
  static String logicalName(Schema schema) {
    String name = schema.getProp("logicalType");
    return name == null ? "" : name;
  }

  /** The stored type for messages. */
  static String spell(Schema stored) {
    Schema schema = nonNull(stored);
    if (schema.getLogicalType() instanceof LogicalTypes.Decimal decimal) {
      return "decimal(" + decimal.getPrecision() + "," + decimal.getScale() + ")";
    }
    String logical = logicalName(schema);
    return switch (schema.getType()) {
      case ARRAY -> "array<" + spell(schema.getElementType()) + ">";
      case MAP -> "map<string, " + spell(schema.getValueType()) + ">";
      case RECORD ->
          schema.getFields().stream()
              .map(field -> field.name() + " " + spell(field.schema()))
              .collect(Collectors.joining(", ", "record<", ">"));
      default -> logical.isEmpty() ? schema.getType().getName() : logical;
    };
  }

  private static LakestreamException mismatch(Object table, String problem) {
    return LakestreamException.of(
        ErrorCode.SCHEMA_MISMATCH,
        table,
        problem + ".",
        "Both tiers must have the same columns; check that the lake path is the table's own and"
            + " that it was changed through Fluss only.");
  }
}
