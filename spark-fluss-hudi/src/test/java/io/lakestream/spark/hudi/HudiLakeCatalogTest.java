package io.lakestream.spark.hudi;

import static io.lakestream.spark.hudi.HudiSparkTables.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.types.TableSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.avro.Schema;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.storage.hadoop.HadoopStorageConfiguration;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused when a lake table is opened. */
class HudiLakeCatalogTest {
  private static final TableSchema SCHEMA = schema("id", "INT NOT NULL", "v", "DECIMAL(10,2)");
  private static final String AVRO =
      """
      {"type": "record", "name": "r", "fields": [
        {"name": "id", "type": "int"},
        {"name": "v", "type": ["null", {"type": "bytes", "logicalType": "decimal",
          "precision": 10, "scale": 2}], "default": null},
        {"name": "__bucket", "type": ["null", "int"], "default": null}]}
      """;

  @TempDir Path folder;

  private Path create(HoodieTableType type, String... properties) throws IOException {
    Path path = folder.resolve("t");
    Properties extra = new Properties();
    for (int i = 0; i < properties.length; i += 2) {
      extra.setProperty(properties[i], properties[i + 1]);
    }
    HoodieTableMetaClient.newTableBuilder()
        .setTableType(type)
        .setTableName("t")
        .setRecordKeyFields("id")
        .setTableCreateSchema(new Schema.Parser().parse(AVRO).toString())
        .fromProperties(extra)
        .initTable(new HadoopStorageConfiguration(new Configuration()), path.toString());
    return path;
  }

  private AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      Path path, TableSchema schema, ErrorCode code, String... partitionColumns) {
    return assertThatThrownBy(
            () ->
                new HudiLakeCatalog(Configuration::new)
                    .open(
                        HudiSparkTables.TABLE,
                        path.toString(),
                        schema,
                        List.of(partitionColumns),
                        2))
        .isInstanceOf(LakestreamException.class)
        .hasMessageContaining("[" + code.code() + "] db.t: ");
  }

  @Test
  void anEmptyTableHasNoInstant() throws IOException {
    Path path = create(HoodieTableType.MERGE_ON_READ);

    assertThat(
            new HudiLakeCatalog(Configuration::new)
                .open(HudiSparkTables.TABLE, path.toString(), SCHEMA, List.of(), 2)
                .latestInstant())
        .isEmpty();
  }

  @Test
  void aMissingPathAndAFolderThatIsNoHudiTableAreNotFound() throws IOException {
    assertRefused(folder.resolve("nowhere"), SCHEMA, ErrorCode.LAKE_NOT_FOUND)
        .hasMessageContaining("there is no Hudi table at " + folder.resolve("nowhere"));
    Path plain = Files.createDirectory(folder.resolve("plain"));
    assertRefused(plain, SCHEMA, ErrorCode.LAKE_NOT_FOUND).hasMessageContaining(plain.toString());
  }

  @Test
  void disagreeingColumnsAreNamedWithBothTypes() throws IOException {
    Path path = create(HoodieTableType.MERGE_ON_READ);

    assertRefused(path, schema("id", "INT", "v", "DECIMAL(12,2)"), ErrorCode.SCHEMA_MISMATCH)
        .hasMessageContaining(
            "column v is declared as DECIMAL(12,2) but stored in the lake as decimal(10,2)");
    assertRefused(path, schema("id", "BIGINT", "v", "DECIMAL(10,2)"), ErrorCode.SCHEMA_MISMATCH)
        .hasMessageContaining("column id is declared as BIGINT but stored in the lake as int");
    assertRefused(path, schema("id", "INT"), ErrorCode.SCHEMA_MISMATCH)
        .hasMessageContaining("the lake table has a column v decimal(10,2) that is not declared");
    assertRefused(
            path,
            schema("id", "INT", "v", "DECIMAL(10,2)", "w", "STRING NOT NULL"),
            ErrorCode.SCHEMA_MISMATCH)
        .hasMessageContaining("column w STRING NOT NULL is not in the lake table");
  }

  @Test
  void otherPartitionColumnsAreAMismatch() throws IOException {
    Path path = create(HoodieTableType.MERGE_ON_READ);

    assertRefused(path, SCHEMA, ErrorCode.LAKE_MISMATCH, "id")
        .hasMessageContaining("partitioned by [id]")
        .hasMessageContaining("by []");
  }

  @Test
  void orderingByAColumnIsUnsupported() throws IOException {
    Path path =
        create(
            HoodieTableType.MERGE_ON_READ,
            "hoodie.record.merge.mode",
            "EVENT_TIME_ORDERING",
            "hoodie.table.ordering.fields",
            "v");

    assertRefused(path, SCHEMA, ErrorCode.LAKE_UNSUPPORTED)
        .hasMessageContaining("orders changes by [v] (EVENT_TIME_ORDERING)");
  }

  @Test
  void filesWithoutRecordKeysAreUnsupported() throws IOException {
    Path path = create(HoodieTableType.MERGE_ON_READ, "hoodie.populate.meta.fields", "false");

    assertRefused(path, SCHEMA, ErrorCode.LAKE_UNSUPPORTED)
        .hasMessageContaining("hoodie.populate.meta.fields=false");
  }

  @Test
  void propertiesOfWhichAPartIsMissingAreDamaged() throws IOException {
    Path path = create(HoodieTableType.MERGE_ON_READ);
    Path properties = path.resolve(".hoodie").resolve("hoodie.properties");
    List<String> lines = Files.readAllLines(properties);
    write(
        properties,
        lines.stream().filter(line -> !line.startsWith("hoodie.table.checksum=")).toList());
    assertRefused(path, SCHEMA, ErrorCode.LAKE_UNREADABLE)
        .hasMessageContaining(
            "the properties of the Hudi table at "
                + path
                + " lack 'hoodie.table.checksum': they are damaged.");
    write(
        properties, lines.stream().filter(line -> !line.startsWith("hoodie.table.type=")).toList());
    assertRefused(path, SCHEMA, ErrorCode.LAKE_UNREADABLE).hasMessageContaining(path.toString());
  }

  @Test
  void theLakeOfAnotherTableIsAMismatch() throws IOException {
    Path path = create(HoodieTableType.MERGE_ON_READ);
    Path properties = path.resolve(".hoodie").resolve("hoodie.properties");
    List<String> lines = new ArrayList<>(Files.readAllLines(properties));
    lines.add("lakestream.table.path=db.other");
    write(properties, lines);

    assertRefused(path, SCHEMA, ErrorCode.LAKE_MISMATCH)
        .hasMessageContaining("the Hudi table at " + path + " is the lake of db.other.");
  }

  private static void write(Path properties, List<String> lines) throws IOException {
    Files.deleteIfExists(properties.resolveSibling(".hoodie.properties.crc"));
    Files.deleteIfExists(properties.resolveSibling("hoodie.properties.backup"));
    Files.write(properties, lines);
  }
}
