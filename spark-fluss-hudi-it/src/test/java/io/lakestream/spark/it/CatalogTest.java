package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.types.DataTypes;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** Namespaces and tables by SQL, checked with the Fluss client. */
class CatalogTest extends IntegrationTest {

  @Test
  void namespaces() {
    sql("CREATE NAMESPACE lake.catalog_namespace COMMENT 'for a test'");
    assertThat(firstColumn("SHOW NAMESPACES IN lake")).contains("catalog_namespace", database());
    assertThat(firstColumn("SHOW TABLES IN lake.catalog_namespace")).isEmpty();
    assertThatThrownBy(() -> sql("CREATE NAMESPACE lake.catalog_namespace"))
        .hasMessageContaining("catalog_namespace");
    sql("CREATE NAMESPACE IF NOT EXISTS lake.catalog_namespace");

    sql("CREATE TABLE lake.catalog_namespace.t (id INT)");
    assertThatThrownBy(() -> sql("DROP NAMESPACE lake.catalog_namespace"))
        .hasMessageContaining("NOT_EMPTY")
        .hasMessageContaining("catalog_namespace");
    assertThat(firstColumn("SHOW NAMESPACES IN lake")).contains("catalog_namespace");

    sql("DROP NAMESPACE lake.catalog_namespace CASCADE");
    assertThat(firstColumn("SHOW NAMESPACES IN lake")).doesNotContain("catalog_namespace");
    assertThatThrownBy(() -> sql("SHOW TABLES IN lake.catalog_namespace").collectAsList())
        .hasMessageContaining("catalog_namespace");
  }

  @Test
  void primaryKeyTable() {
    TestTable table = named("keyed");
    sql(
        "CREATE TABLE %s (a INT COMMENT 'first', b STRING, c STRING, v DECIMAL(10,2))"
                .formatted(table.sqlName())
            + " PARTITIONED BY (c) COMMENT 'a table'"
            + " TBLPROPERTIES ('primary.key'='a,b,c', 'bucket.num'='4', 'bucket.key'='a',"
            + " 'team'='ads')");

    TableInfo info = table.info();
    assertThat(info.getPrimaryKeys()).containsExactly("a", "b", "c");
    assertThat(info.getPartitionKeys()).containsExactly("c");
    assertThat(info.getBucketKeys()).containsExactly("a");
    assertThat(info.getNumBuckets()).isEqualTo(4);
    assertThat(info.getComment()).contains("a table");
    assertThat(info.getCustomProperties().toMap()).containsEntry("team", "ads");
    assertThat(info.getRowType().getFieldNames()).containsExactly("a", "b", "c", "v");
    assertThat(info.getRowType().getTypeAt(3)).isEqualTo(DataTypes.DECIMAL(10, 2));

    assertThat(tables()).contains(table.flussPath().getTableName());
    Map<String, String> properties = properties(table);
    assertThat(properties)
        .containsEntry("primary.key", "a,b,c")
        .containsEntry("bucket.num", "4")
        .containsEntry("bucket.key", "a")
        .containsEntry("team", "ads");
  }

  @Test
  void logTable() {
    TestTable table = named("log");
    sql(
        "CREATE TABLE %s (id BIGINT NOT NULL, s STRING) TBLPROPERTIES ('bucket.num'='3')"
            .formatted(table.sqlName()));

    TableInfo info = table.info();
    assertThat(info.hasPrimaryKey()).isFalse();
    assertThat(info.isPartitioned()).isFalse();
    assertThat(info.getNumBuckets()).isEqualTo(3);
    assertThat(info.getRowType().getTypeAt(0).isNullable()).isFalse();
    assertThat(info.getRowType().getTypeAt(1).isNullable()).isTrue();
  }

  @Test
  void describe() {
    TestTable table = named("described");
    sql(
        "CREATE TABLE %s (id BIGINT COMMENT 'the key', dt STRING) PARTITIONED BY (dt)"
            .formatted(table.sqlName()));

    List<Row> described = sql("DESCRIBE TABLE EXTENDED " + table.sqlName()).collectAsList();

    assertThat(described).contains(row("id", "bigint", "the key"), row("dt", "string", null));
    assertThat(described).extracting(row -> row.getString(0)).contains("# Partition Information");
  }

  @Test
  void tableThatExistsAlready() {
    TestTable table = create("twice", TableSpec.log("id INT"));
    table.apply(put(row(1)));

    assertThatThrownBy(() -> sql("CREATE TABLE " + table.sqlName() + " (id INT)"))
        .hasMessageContaining("ALREADY_EXISTS")
        .hasMessageContaining(table.flussPath().getTableName());
    sql("CREATE TABLE IF NOT EXISTS " + table.sqlName() + " (other STRING)");

    assertRows(table, "SELECT * FROM {t}", row(1));
  }

  @Test
  void drop() {
    TestTable table = create("dropped", TableSpec.log("id INT"));
    table.apply(put(row(1)));
    sql("DROP TABLE " + table.sqlName());

    assertThat(tables()).doesNotContain(table.flussPath().getTableName());
    assertThatThrownBy(() -> sql("SELECT * FROM " + table.sqlName()))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
    assertThatThrownBy(() -> sql("DROP TABLE " + table.sqlName()))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
    sql("DROP TABLE IF EXISTS " + table.sqlName());
  }

  @Test
  void showPartitions() {
    TestTable table =
        create("parts", TableSpec.log("id INT, d DATE, c STRING").partitionedBy("d", "c"));
    sql(
        "INSERT INTO %s VALUES (1, DATE'2024-02-29', 'x'), (2, DATE'2024-02-29', 'y'),"
                .formatted(table.sqlName())
            + " (3, DATE'1969-12-31', 'x')");

    assertThat(firstColumn("SHOW PARTITIONS " + table.sqlName()))
        .containsExactlyInAnyOrder("d=2024-02-29/c=x", "d=2024-02-29/c=y", "d=1969-12-31/c=x");
    assertThat(
            firstColumn("SHOW PARTITIONS " + table.sqlName() + " PARTITION (d=DATE'1969-12-31')"))
        .containsExactly("d=1969-12-31/c=x");
  }

  @Test
  void createTableAsSelect() {
    TestTable table = named("ctas");
    sql(
        "CREATE TABLE %s TBLPROPERTIES ('primary.key'='id', 'bucket.num'='2')"
                .formatted(table.sqlName())
            + " AS SELECT id, concat('v', id % 3) AS v FROM range(10)");

    assertThat(table.info().getPrimaryKeys()).containsExactly("id");
    assertRows(table, "SELECT count(*), count(DISTINCT v), max(id) FROM {t}", row(10L, 3L, 9L));
    table.tier();
    assertRows(table, "SELECT v FROM {t} WHERE id = 7", row("v1"));
  }

  @Test
  void definitionsThatCannotBe() {
    String table = "lake." + database() + "." + uniqueName("wrong");

    assertThatThrownBy(
            () ->
                sql("CREATE TABLE " + table + " (id INT) TBLPROPERTIES ('primary.key'='missing')"))
        .hasMessageContaining("LAKESTREAM_INVALID_TABLE_DEFINITION")
        .hasMessageContaining("missing");
    assertThatThrownBy(
            () -> sql("CREATE TABLE " + table + " (id INT) TBLPROPERTIES ('bucket.num'='0')"))
        .hasMessageContaining("LAKESTREAM_")
        .hasMessageContaining("bucket.num");
    assertThatThrownBy(
            () -> sql("CREATE TABLE " + table + " (id INT, t TIMESTAMP) PARTITIONED BY (days(t))"))
        .hasMessageContaining("LAKESTREAM_INVALID_TABLE_DEFINITION")
        .hasMessageContaining("days");
    assertThat(tables()).doesNotContain(table.substring(table.lastIndexOf('.') + 1));
  }

  private TestTable named(String prefix) {
    return TestTable.existing(environment(), database(), uniqueName(prefix));
  }

  private Map<String, String> properties(TestTable table) {
    return sql("SHOW TBLPROPERTIES " + table.sqlName()).collectAsList().stream()
        .collect(
            Collectors.toMap(property -> property.getString(0), property -> property.getString(1)));
  }

  private List<String> tables() {
    return sql("SHOW TABLES IN lake." + database()).collectAsList().stream()
        .map(table -> table.getString(1))
        .toList();
  }

  private List<String> firstColumn(String statement) {
    return sql(statement).collectAsList().stream().map(row -> row.getString(0)).toList();
  }
}
