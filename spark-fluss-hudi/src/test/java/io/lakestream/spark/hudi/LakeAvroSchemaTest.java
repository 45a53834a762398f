package io.lakestream.spark.hudi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.LakeTableDefinition;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.util.List;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LakeAvroSchemaTest {

  /** The create schema that Fluss 1.0's tiering gave to a table with these columns. */
  @Test
  void scalarsAreSpelledAsFlussTieringDoes() {
    Schema schema =
        schema(
            column("c_char", LogicalType.of(Kind.CHAR, 3)),
            column("c_dec5", LogicalType.decimal(5, 2)),
            column("c_dec20", LogicalType.decimal(20, 3)),
            column("c_binary", LogicalType.of(Kind.BINARY, 4)),
            column("c_date", LogicalType.of(Kind.DATE)),
            column("c_time", LogicalType.of(Kind.TIME, 0)),
            column("c_ts3", LogicalType.of(Kind.TIMESTAMP, 3)),
            column("c_ts6", LogicalType.of(Kind.TIMESTAMP, 6)),
            column("c_ltz3", LogicalType.of(Kind.TIMESTAMP_LTZ, 3)),
            column("c_ltz6", LogicalType.of(Kind.TIMESTAMP_LTZ, 6)));
    assertThat(schema.toString())
        .isEqualTo(
            "{\"type\":\"record\",\"name\":\"t_record\",\"namespace\":\"hoodie.t\",\"fields\":["
                + "{\"name\":\"c_char\",\"type\":[\"null\",\"string\"],\"default\":null},"
                + "{\"name\":\"c_dec5\",\"type\":[\"null\",{\"type\":\"fixed\",\"name\":\"fixed\","
                + "\"namespace\":\"hoodie.t.t_record.c_dec5\",\"size\":3,"
                + "\"logicalType\":\"decimal\",\"precision\":5,\"scale\":2}],\"default\":null},"
                + "{\"name\":\"c_dec20\",\"type\":[\"null\",{\"type\":\"fixed\",\"name\":\"fixed\","
                + "\"namespace\":\"hoodie.t.t_record.c_dec20\",\"size\":9,"
                + "\"logicalType\":\"decimal\",\"precision\":20,\"scale\":3}],\"default\":null},"
                + "{\"name\":\"c_binary\",\"type\":[\"null\",\"bytes\"],\"default\":null},"
                + "{\"name\":\"c_date\",\"type\":[\"null\",{\"type\":\"int\","
                + "\"logicalType\":\"date\"}],\"default\":null},"
                + "{\"name\":\"c_time\",\"type\":[\"null\",{\"type\":\"int\","
                + "\"logicalType\":\"time-millis\"}],\"default\":null},"
                + "{\"name\":\"c_ts3\",\"type\":[\"null\",{\"type\":\"long\","
                + "\"logicalType\":\"timestamp-millis\"}],\"default\":null},"
                + "{\"name\":\"c_ts6\",\"type\":[\"null\",{\"type\":\"long\","
                + "\"logicalType\":\"timestamp-micros\"}],\"default\":null},"
                + "{\"name\":\"c_ltz3\",\"type\":[\"null\",{\"type\":\"long\","
                + "\"logicalType\":\"local-timestamp-micros\"}],\"default\":null},"
                + "{\"name\":\"c_ltz6\",\"type\":[\"null\",{\"type\":\"long\","
                + "\"logicalType\":\"local-timestamp-micros\"}],\"default\":null},"
                + "{\"name\":\"__bucket\",\"type\":[\"null\",\"int\"],\"default\":null},"
                + "{\"name\":\"__offset\",\"type\":[\"null\",\"long\"],\"default\":null},"
                + "{\"name\":\"__timestamp\",\"type\":[\"null\",{\"type\":\"long\","
                + "\"logicalType\":\"timestamp-micros\"}],\"default\":null}]}");
  }

  @Test
  void nestedTypesCarryTheNameOfTheirColumn() {
    Schema schema =
        schema(
            column("c_arr", new LogicalType.Array(LogicalType.of(Kind.INTEGER), true)),
            column(
                "c_map",
                new LogicalType.Map(
                    LogicalType.of(Kind.STRING), LogicalType.of(Kind.INTEGER), true)),
            column(
                "c_row",
                new LogicalType.Row(
                    List.of(new LogicalType.Field("a", LogicalType.of(Kind.INTEGER))), true)));
    assertThat(schema.getField("c_arr").schema().toString())
        .isEqualTo("[\"null\",{\"type\":\"array\",\"items\":[\"null\",\"int\"]}]");
    assertThat(schema.getField("c_map").schema().toString())
        .isEqualTo("[\"null\",{\"type\":\"map\",\"values\":[\"null\",\"int\"]}]");
    assertThat(schema.getField("c_row").schema().toString())
        .isEqualTo(
            "[\"null\",{\"type\":\"record\",\"name\":\"c_row\","
                + "\"namespace\":\"hoodie.t.t_record\",\"fields\":["
                + "{\"name\":\"a\",\"type\":[\"null\",\"int\"],\"default\":null}]}]");
  }

  @Test
  void requiredColumnsAreNoUnions() {
    Schema.Field field =
        schema(column("id", LogicalType.of(Kind.SMALLINT).withNullable(false))).getField("id");
    assertThat(field.schema()).isEqualTo(Schema.create(Schema.Type.INT));
    assertThat(field.hasDefaultValue()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"1,1", "2,1", "3,2", "4,2", "5,3", "9,4", "10,5", "18,8", "19,9", "38,16"})
  void decimalsTakeTheFewestBytes(int precision, int bytes) {
    Schema union = schema(column("d", LogicalType.decimal(precision, 0))).getField("d").schema();
    assertThat(union.getTypes().get(1).getFixedSize()).isEqualTo(bytes);
  }

  @Test
  void mapsWithOtherKeysThanStringsAreRefused() {
    TableColumn column =
        column(
            "counts",
            new LogicalType.Map(
                LogicalType.of(Kind.INTEGER).withNullable(false),
                LogicalType.of(Kind.INTEGER),
                true));
    assertThatThrownBy(() -> schema(column))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_REFUSED))
        .hasMessageContaining("db.t: the column counts")
        .hasMessageContaining("MAP<INTEGER NOT NULL, INTEGER>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"__bucket", "__offset", "__timestamp", "_hoodie_record_key", "a-b", "1a"})
  void namesThatTheLakeCannotHaveAreRefused(String name) {
    assertThatThrownBy(() -> schema(column(name, LogicalType.of(Kind.INTEGER))))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_REFUSED))
        .hasMessageContaining("the column " + name);
  }

  private static Schema schema(TableColumn... columns) {
    return LakeAvroSchema.of(
        new LakeTableDefinition(
            new TablePath("db", "t"),
            1,
            "/lake/t",
            new TableSchema(List.of(columns)),
            List.of(),
            List.of(),
            List.of(),
            1,
            false,
            List.of()));
  }

  private static TableColumn column(String name, LogicalType type) {
    return new TableColumn(name, type, null);
  }
}
