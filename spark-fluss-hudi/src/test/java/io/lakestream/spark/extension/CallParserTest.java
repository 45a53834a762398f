package io.lakestream.spark.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.catalog.LakestreamCatalog;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parser in a session, beside Hudi's, which also adds a {@code CALL}. */
class CallParserTest {
  private static final String OURS =
      "io.lakestream.spark.extension.LakestreamSparkSessionExtension";
  private static final String HUDI = "org.apache.spark.sql.hudi.HoodieSparkSessionExtension";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {OURS, OURS + "," + HUDI, HUDI + "," + OURS})
  void takesOnlyCallsOnItsCatalogs(String extensions) {
    try (SparkSession spark = session(extensions)) {
      assertThatThrownBy(() -> spark.sql("CALL lake.system.teir(table => 'db.t')"))
          .hasMessageContaining("lake.system.teir: the catalog has no such procedure")
          .hasMessageContaining(
              "lake.system.tier, lake.system.compact, lake.system.cluster, lake.system.clean,"
                  + " lake.system.status");
      assertThatThrownBy(() -> spark.sql("CALL lake.system.tier(tabel => 'db.t')"))
          .hasMessageContaining("it takes one argument, 'table', but was given [tabel]");
      assertThatThrownBy(() -> spark.sql("CALL lake.system.tier()"))
          .hasMessageContaining("but was given []");
      assertThatThrownBy(() -> spark.sql("CALL other.system.tier(table => 'db.t')"))
          .isInstanceOf(Exception.class)
          .hasMessageNotContaining("LAKESTREAM");
      assertThat(spark.sql("/* c */ SELECT 1 AS a -- end").collectAsList())
          .extracting(row -> row.getInt(0))
          .containsExactly(1);
      spark.sql("SET lakestream.test=a b  c");
      assertThat(spark.conf().get("lakestream.test")).isEqualTo("a b  c");
      assertThatThrownBy(() -> spark.sql("SELEC 1")).isInstanceOf(ParseException.class);
      spark.sql("SELECT * FROM VALUES (1), (2) AS v(a)").createOrReplaceTempView("two");
      assertThat(spark.table("two").count()).isEqualTo(2);
      if (extensions.contains(HUDI)) {
        assertThat(askHudi(spark)).isNotEmpty();
      }
    }
  }

  /** A table of Hudi's, and what Hudi's own procedure says of it. */
  private List<Row> askHudi(SparkSession spark) {
    String path = folder.resolve("t").toString();
    spark
        .sql("SELECT 1 AS id")
        .write()
        .format("hudi")
        .option("hoodie.table.name", "t")
        .option("hoodie.datasource.write.recordkey.field", "id")
        .save(path);
    return spark.sql("CALL show_fs_path_detail(path => '" + path + "')").collectAsList();
  }

  private static SparkSession session(String extensions) {
    return SparkSession.builder()
        .master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
        .config("spark.sql.extensions", extensions)
        .config("spark.sql.catalog.lake", LakestreamCatalog.class.getName())
        .getOrCreate();
  }
}
