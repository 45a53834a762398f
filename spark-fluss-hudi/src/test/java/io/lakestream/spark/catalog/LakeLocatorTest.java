package io.lakestream.spark.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.options.OptionLayer;
import io.lakestream.spark.options.OptionResolver;
import io.lakestream.spark.testing.Tables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LakeLocatorTest {
  private static LogTable table(Map<String, String> properties, Map<String, String> custom) {
    LogTable plain = Tables.log(1);
    return new LogTable(
        plain.path(),
        plain.tableId(),
        plain.schemaId(),
        plain.schema(),
        List.of(),
        List.of(),
        List.of(),
        1,
        properties,
        custom,
        null);
  }

  private static OptionResolver options(LogTable table, OptionLayer... layers) {
    List<OptionLayer> all = new ArrayList<>(List.of(layers));
    all.add(OptionLayer.table(table.customProperties()));
    return new OptionResolver(table.path(), all);
  }

  @Test
  void aGivenPathWinsOverThePropertyAndTheCatalogFolder() {
    LogTable table = table(Map.of(), Map.of("lakestream.hudi.path", "/property"));
    OptionLayer catalog = OptionLayer.catalog(Map.of("hudi.catalog.path", "/folder"));

    assertThat(
            LakeLocator.locate(
                table, options(table, catalog, OptionLayer.query(Map.of("hudi.path", "/query")))))
        .contains("/query");
    assertThat(LakeLocator.locate(table, options(table, catalog))).contains("/property");
    assertThat(
            LakeLocator.locate(
                table,
                options(table, catalog, OptionLayer.query(Map.of("hudi.catalog.path", "/q")))))
        .contains("/q/db/t");
  }

  @Test
  void theCatalogFolderGivesTheDefault() {
    LogTable table = table(Map.of(), Map.of());

    assertThat(
            LakeLocator.locate(
                table, options(table, OptionLayer.catalog(Map.of("hudi.catalog.path", "/f/")))))
        .contains("/f/db/t");
    assertThat(LakeLocator.locate(table, options(table))).isEmpty();
  }

  @Test
  void aFlussClusterThatTiersToHudiSaysWhereTheLakeIs() {
    Map<String, String> cluster =
        Map.of(
            "table.datalake.format", "hudi",
            "table.datalake.hudi.mode", "dfs",
            "table.datalake.hudi.catalog.path", "hdfs://lake");

    assertThat(LakeLocator.locate(table(cluster, Map.of()), options(table(cluster, Map.of()))))
        .contains("hdfs://lake/db/t");
    LogTable custom = table(cluster, Map.of("hudi.path", "hdfs://elsewhere/t"));
    assertThat(LakeLocator.locate(custom, options(custom))).contains("hdfs://elsewhere/t");
    LogTable renamed =
        table(
            Map.of(
                "table.datalake.format", "hudi",
                "table.datalake.hudi.mode", "dfs",
                "table.datalake.hudi.catalog.path", "hdfs://lake",
                "table.datalake.database-name", "other",
                "table.datalake.table-name", "name"),
            Map.of());
    assertThat(LakeLocator.locate(renamed, options(renamed))).contains("hdfs://lake/other/name");
  }

  @Test
  void aMetastoreCatalogIsNotGuessed() {
    LogTable table =
        table(
            Map.of(
                "table.datalake.format", "hudi",
                "table.datalake.hudi.catalog.path", "hdfs://lake"),
            Map.of());

    assertThatThrownBy(() -> LakeLocator.locate(table, options(table)))
        .hasMessageStartingWith("[LAKESTREAM_LAKE_NOT_CONFIGURED] db.t: ")
        .hasMessageContaining("'hms'")
        .hasMessageContaining("'hudi.path'");
  }

  @Test
  void aPlaceThatTheTableGivesIsChecked() {
    LogTable steps = table(Map.of(), Map.of("lakestream.hudi.path", "/lake/../etc"));
    assertThatThrownBy(() -> LakeLocator.locate(steps, options(steps)))
        .hasMessageContaining("the lake path '/lake/../etc' has steps");

    LogTable elsewhere = table(Map.of(), Map.of("lakestream.hudi.path", "/warehouse/finance"));
    OptionLayer allowing = OptionLayer.catalog(Map.of("hudi.allowed.paths", "/lake"));
    assertThat(LakeLocator.locate(elsewhere, options(elsewhere))).contains("/warehouse/finance");
    assertThatThrownBy(() -> LakeLocator.locate(elsewhere, options(elsewhere, allowing)))
        .hasMessageContaining("place its lake at '/warehouse/finance'")
        .hasMessageContaining("'hudi.allowed.paths' names: /lake.");
    OptionLayer query = OptionLayer.query(Map.of("hudi.path", "/warehouse/finance"));
    assertThat(LakeLocator.locate(elsewhere, options(elsewhere, allowing, query)))
        .as("who asks the query may read where he likes")
        .contains("/warehouse/finance");
  }

  @Test
  void aPlaceThatTheTableGivesToFlussIsCheckedToo() {
    Map<String, String> cluster =
        Map.of(
            "table.datalake.format", "hudi",
            "table.datalake.hudi.mode", "dfs",
            "table.datalake.hudi.catalog.path", "/lake");
    LogTable elsewhere = table(cluster, Map.of("hudi.path", "/warehouse/finance"));
    OptionLayer allowing = OptionLayer.catalog(Map.of("hudi.allowed.paths", "/lake"));
    assertThatThrownBy(() -> LakeLocator.locate(elsewhere, options(elsewhere, allowing)))
        .hasMessageContaining("place its lake at '/warehouse/finance'");

    Map<String, String> stepping = new HashMap<>(cluster);
    stepping.put("table.datalake.database-name", "../../warehouse");
    LogTable back = table(stepping, Map.of());
    assertThatThrownBy(() -> LakeLocator.locate(back, options(back)))
        .hasMessage(
            "[LAKESTREAM_INVALID_OPTION] db.t: the table property 'table.datalake.database-name' is"
                + " '../../warehouse', which is not one folder's name. Give a name without '/'.");
  }
}
