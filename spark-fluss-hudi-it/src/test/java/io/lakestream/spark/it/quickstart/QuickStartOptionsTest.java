package io.lakestream.spark.it.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users can tell the quick start, and what it tells them to paste. */
class QuickStartOptionsTest {
  @Test
  void startsItsOwnClusterAndEndsWithoutAnyOption() {
    QuickStartOptions options = options(Map.of());
    assertThat(options.bootstrapServers()).isEmpty();
    assertThat(options.serve()).isFalse();
    assertThat(options.scale()).isEqualTo(0.01);
  }

  @Test
  void takesWhatMavenPassesOn() {
    QuickStartOptions options =
        options(Map.of("bootstrap.servers", "", "scale", "0.5", "serve", "true"));
    assertThat(options.bootstrapServers()).isEmpty();
    assertThat(options.serve()).isTrue();
    assertThat(options.scale()).isEqualTo(0.5);
    assertThat(options(Map.of("bootstrap.servers", "h:9123")).bootstrapServers())
        .contains("h:9123");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "11", "NaN", "big"})
  void refusesAScaleThatCannotBe(String scale) {
    assertThatThrownBy(() -> options(Map.of("scale", scale)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("-Dscale=" + scale + " is not a TPC-H scale factor above 0 and up to 10.0.");
  }

  @Test
  void saysWhatToPasteIntoEachShell() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("spark.sql.catalog.lake", "C");
    settings.put("spark.sql.catalog.lake.bootstrap.servers", "h:9123");
    String text = PasteText.of(Path.of("/jars/connector.jar"), "g:hudi:1", settings);
    String options =
        """
         --jars /jars/connector.jar --packages g:hudi:1 \\
            --conf spark.sql.catalog.lake=C \\
            --conf spark.sql.catalog.lake.bootstrap.servers=h:9123
        """;
    assertThat(text)
        .contains("  spark-sql" + options, "  spark-shell" + options, "  pyspark" + options)
        .contains("FROM lake.shop.impressions GROUP BY channel;");
  }

  private static QuickStartOptions options(Map<String, String> values) {
    Properties properties = new Properties();
    properties.putAll(values);
    return QuickStartOptions.from(properties);
  }
}
