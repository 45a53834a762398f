package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeTableDefinition;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.TableColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.hudi.avro.AvroSchemaUtils;

/**
 * The Avro schema of a lake table: the declared columns, then the three system columns, spelled as
 * Hudi's Flink writer spells it, because that is what Fluss's own tiering uses (FIP-24). There
 * TIMESTAMP is {@code timestamp-*} and TIMESTAMP_LTZ is {@code local-timestamp-*}, the reverse of
 * Avro's meaning; TINYINT and SMALLINT are {@code int}; CHAR is {@code string}; DECIMAL is a {@code
 * fixed}. Timestamps of more than six digits, which Flink's writer refuses, are stored as
 * microseconds.
 */
final class LakeAvroSchema {
  static final String BUCKET_COLUMN = "__bucket";
  static final String OFFSET_COLUMN = "__offset";
  static final String TIMESTAMP_COLUMN = "__timestamp";

  static final List<String> SYSTEM_COLUMNS =
      List.of(BUCKET_COLUMN, OFFSET_COLUMN, TIMESTAMP_COLUMN);
  private static final String HUDI_PREFIX = "_hoodie_";
  private static final Pattern AVRO_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final LakeTableDefinition definition;

  private LakeAvroSchema(LakeTableDefinition definition) {
    this.definition = definition;
  }

  /**
   * The schema.
   *
   * @throws LakestreamException {@code TIERING_REFUSED} if a column cannot be stored
   */
  static Schema of(LakeTableDefinition definition) {
    return new LakeAvroSchema(definition).schema();
  }

  private Schema schema() {
    String record = AvroSchemaUtils.getAvroRecordQualifiedName(definition.table().table());
    List<Schema.Field> fields = new ArrayList<>();
    for (TableColumn column : definition.schema().columns()) {
      String name = column.name();
      if (SYSTEM_COLUMNS.contains(name) || name.startsWith(HUDI_PREFIX)) {
        throw refused(name, "its name is reserved in the lake");
      }
      fields.add(field(name, name, column.type(), record + "." + name));
    }
    fields.add(
        field(BUCKET_COLUMN, BUCKET_COLUMN, LogicalType.of(LogicalType.Kind.INTEGER), record));
    fields.add(
        field(OFFSET_COLUMN, OFFSET_COLUMN, LogicalType.of(LogicalType.Kind.BIGINT), record));
    fields.add(
        field(
            TIMESTAMP_COLUMN,
            TIMESTAMP_COLUMN,
            LogicalType.of(LogicalType.Kind.TIMESTAMP, 6),
            record));
    return record(record, fields);
  }

  private Schema.Field field(String column, String name, LogicalType type, String path) {
    if (!AVRO_NAME.matcher(name).matches()) {
      throw refused(column, "the name " + name + " has characters that Avro does not allow");
    }
    Schema schema = nullable(column, type, path);
    return type.nullable()
        ? new Schema.Field(name, schema, null, Schema.Field.NULL_DEFAULT_VALUE)
        : new Schema.Field(name, schema, null, (Object) null);
  }

  private Schema nullable(String column, LogicalType type, String path) {
    Schema schema = convert(column, type, path);
    return type.nullable() ? Schema.createUnion(Schema.create(Schema.Type.NULL), schema) : schema;
  }

  private Schema convert(String column, LogicalType type, String path) {
    if (type instanceof LogicalType.Scalar scalar) {
      return scalar(scalar, path);
    }
    if (type instanceof LogicalType.Array array) {
      return Schema.createArray(nullable(column, array.element(), path));
    }
    if (type instanceof LogicalType.Map map) {
      if (!(map.key() instanceof LogicalType.Scalar key)
          || (key.kind() != LogicalType.Kind.STRING && key.kind() != LogicalType.Kind.CHAR)) {
        throw refused(column, "the lake has only maps with string keys, and the type is " + type);
      }
      return Schema.createMap(nullable(column, map.value(), path));
    }
    List<Schema.Field> fields = new ArrayList<>();
    for (LogicalType.Field field : ((LogicalType.Row) type).fields()) {
      fields.add(field(column, field.name(), field.type(), path + "." + field.name()));
    }
    return record(path, fields);
  }

  private static Schema scalar(LogicalType.Scalar scalar, String path) {
    return switch (scalar.kind()) {
      case BOOLEAN -> Schema.create(Schema.Type.BOOLEAN);
      case TINYINT, SMALLINT, INTEGER -> Schema.create(Schema.Type.INT);
      case BIGINT -> Schema.create(Schema.Type.LONG);
      case FLOAT -> Schema.create(Schema.Type.FLOAT);
      case DOUBLE -> Schema.create(Schema.Type.DOUBLE);
      case CHAR, STRING -> Schema.create(Schema.Type.STRING);
      case BINARY, BYTES -> Schema.create(Schema.Type.BYTES);
      case DATE -> LogicalTypes.date().addToSchema(Schema.create(Schema.Type.INT));
      case TIME -> LogicalTypes.timeMillis().addToSchema(Schema.create(Schema.Type.INT));
      case TIMESTAMP ->
          (scalar.precision() <= 3
                  ? LogicalTypes.timestampMillis()
                  : LogicalTypes.timestampMicros())
              .addToSchema(Schema.create(Schema.Type.LONG));
      case TIMESTAMP_LTZ ->
          // Fluss's tiering declares every TIMESTAMP_LTZ with six digits.
          LogicalTypes.localTimestampMicros().addToSchema(Schema.create(Schema.Type.LONG));
      case DECIMAL ->
          LogicalTypes.decimal(scalar.precision(), scalar.scale())
              .addToSchema(
                  SchemaBuilder.fixed(path + ".fixed").size(decimalBytes(scalar.precision())));
    };
  }

  private static Schema record(String qualifiedName, List<Schema.Field> fields) {
    int dot = qualifiedName.lastIndexOf('.');
    return Schema.createRecord(
        qualifiedName.substring(dot + 1), null, qualifiedName.substring(0, dot), false, fields);
  }

  /** The fewest bytes that hold every unscaled value of this precision in two's complement. */
  private static int decimalBytes(int precision) {
    return java.math.BigInteger.TEN.pow(precision).subtract(java.math.BigInteger.ONE).bitLength()
            / 8
        + 1;
  }

  private LakestreamException refused(String column, String problem) {
    return LakestreamException.of(
        ErrorCode.TIERING_REFUSED,
        definition.table(),
        "the column " + column + " cannot be tiered: " + problem + ".",
        "Leave the column out, or give it another name or type.");
  }
}
