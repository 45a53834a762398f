package io.lakestream.spark.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.log.NewTable;
import io.lakestream.spark.types.TablePath;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class TableDefinitionTest {
  private static final TablePath PATH = new TablePath("db", "t");
  private static final Transform[] UNPARTITIONED = new Transform[0];
  private static final StructType COLUMNS =
      new StructType()
          .add("id", DataTypes.LongType, false)
          .add("dt", DataTypes.StringType)
          .add("v", DataTypes.createDecimalType(10, 2));

  private static NewTable parse(Transform[] partitions, Map<String, String> properties) {
    return TableDefinition.parse(PATH, COLUMNS, partitions, properties, Optional.of("/lake"));
  }

  @Test
  void keysBucketsAndPartitionsAreTakenFromTheStatement() {
    Map<String, String> properties = new HashMap<>();
    properties.put("primary.key", "id, dt");
    properties.put("bucket.key", "id");
    properties.put("bucket.num", "4");
    properties.put("table.log.ttl", "3d");
    properties.put("team", "ads");
    properties.put("comment", "orders");
    properties.put("provider", "lakestream");
    properties.put("owner", "me");

    NewTable table = parse(new Transform[] {Expressions.identity("dt")}, properties);

    assertThat(table.primaryKey()).containsExactly("id", "dt");
    assertThat(table.bucketColumns()).containsExactly("id");
    assertThat(table.buckets()).hasValue(4);
    assertThat(table.partitionColumns()).containsExactly("dt");
    assertThat(table.properties()).containsExactlyEntriesOf(Map.of("table.log.ttl", "3d"));
    assertThat(table.customProperties())
        .containsOnly(
            Map.entry("team", "ads"),
            Map.entry("lakestream.lake", "hudi"),
            Map.entry("lakestream.hudi.path", "/lake/db/t"));
    assertThat(table.comment()).isEqualTo("orders");
    assertThat(table.schema().columns())
        .extracting(column -> column.name() + " " + column.type())
        .containsExactly("id BIGINT NOT NULL", "dt STRING", "v DECIMAL(10,2)");
  }

  @Test
  void aGivenLakePathIsKept() {
    assertThat(parse(UNPARTITIONED, Map.of("lakestream.hudi.path", "/mine")).customProperties())
        .containsEntry("lakestream.hudi.path", "/mine");
  }

  @Test
  void whatCannotBeIsRefusedWithTheReason() {
    assertThatThrownBy(() -> parse(UNPARTITIONED, Map.of("primary.key", "id,nope")))
        .hasMessage(
            "[LAKESTREAM_INVALID_TABLE_DEFINITION] db.t: 'primary.key' names the column 'nope',"
                + " which the table does not have. Columns are id, dt, v.");
    assertThatThrownBy(() -> parse(UNPARTITIONED, Map.of("bucket.num", "0")))
        .hasMessageContaining("'bucket.num' is '0', not a whole number of 1 or more");
    assertThatThrownBy(
            () -> parse(new Transform[] {Expressions.identity("dt")}, Map.of("primary.key", "id")))
        .hasMessageContaining("does not contain the partition columns [dt]");
    assertThatThrownBy(() -> parse(new Transform[] {Expressions.bucket(4, "id")}, Map.of()))
        .hasMessageContaining("is not a plain column");
    assertThatThrownBy(() -> parse(UNPARTITIONED, Map.of("location", "/x")))
        .hasMessageContaining("'lakestream.hudi.path'");
    assertThatThrownBy(() -> parse(UNPARTITIONED, Map.of("lakestream.lakee", "y")))
        .hasMessageContaining("Did you mean 'lake'?");
    assertThatThrownBy(() -> parse(UNPARTITIONED, Map.of("lakestream.hudi.pat", "/x")))
        .hasMessageContaining("Did you mean 'hudi.path'?");
    assertThatThrownBy(() -> parse(UNPARTITIONED, Map.of("lakestream.hudi.path", "/x/../y")))
        .hasMessageContaining("the lake path '/x/../y' has steps");
    assertThatThrownBy(
            () -> parse(UNPARTITIONED, Map.of("lakestream.hadoop.fs.s3a.endpoint", "http://evil")))
        .hasMessageContaining("'hadoop.fs.s3a.endpoint' cannot be given as a table property");
  }

  @Test
  void reservedNamesAndForeignTypesAreRefused() {
    for (String name : new String[] {"__offset", "__Bucket", "_hoodie_record_key"}) {
      StructType columns = COLUMNS.add(name, DataTypes.LongType);
      assertThatThrownBy(
              () -> TableDefinition.parse(PATH, columns, UNPARTITIONED, Map.of(), Optional.empty()))
          .hasMessageContaining("'" + name + "' is reserved");
    }
    StructType columns = COLUMNS.add("i", DataTypes.CalendarIntervalType);
    assertThatThrownBy(
            () -> TableDefinition.parse(PATH, columns, UNPARTITIONED, Map.of(), Optional.empty()))
        .hasMessageStartingWith("[LAKESTREAM_UNSUPPORTED_TYPE] db.t: the column 'i'");
  }
}
