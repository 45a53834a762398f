package io.lakestream.spark.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionResolverTest {
  private static OptionResolver resolver(OptionLayer... layers) {
    return new OptionResolver("db.t", List.of(layers));
  }

  static List<Option<?>> all() {
    return LakestreamOptions.all();
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyDefaultIsAValidValue(Option<?> option) {
    if (option.defaultText() != null) {
      assertThat(option.parse(option.defaultText())).isNotNull();
    }
    assertThat(option.doc()).endsWith(".");
  }

  @Test
  void keysAndAliasesAreDistinct() {
    assertThat(
            all().stream()
                .flatMap(
                    option ->
                        java.util.stream.Stream.concat(
                            java.util.stream.Stream.of(option.key()), option.aliases().stream())))
        .doesNotHaveDuplicates();
  }

  @Test
  void queryWinsOverSessionOverCatalogOverTableOverDefault() {
    OptionLayer query = OptionLayer.query(Map.of("split-size", "1m"));
    OptionLayer session = OptionLayer.session(Map.of("spark.sql.lakestream.split-size", "2m"));
    OptionLayer catalog = OptionLayer.catalog(Map.of("split-size", "3m"));
    OptionLayer table = OptionLayer.table(Map.of("lakestream.split-size", "4m"));

    assertThat(resolver(table, catalog, session, query).get(LakestreamOptions.SPLIT_SIZE))
        .isEqualTo(1L << 20);
    assertThat(resolver(table, catalog, session).get(LakestreamOptions.SPLIT_SIZE))
        .isEqualTo(2L << 20);
    assertThat(resolver(table, catalog).get(LakestreamOptions.SPLIT_SIZE)).isEqualTo(3L << 20);
    assertThat(resolver(table).get(LakestreamOptions.SPLIT_SIZE)).isEqualTo(4L << 20);
    assertThat(resolver().get(LakestreamOptions.SPLIT_SIZE)).isEqualTo(128L << 20);
  }

  @Test
  void aliasesAndPrefixedKeysMeanTheSame() {
    assertThat(
            resolver(OptionLayer.query(Map.of("lakestream.tail.max.rows", "5")))
                .get(LakestreamOptions.TAIL_MAX_ROWS))
        .isEqualTo(5);
    assertThat(
            resolver(OptionLayer.query(Map.of("fluss.union_read.max_tail_rows", "6")))
                .get(LakestreamOptions.TAIL_MAX_ROWS))
        .isEqualTo(6);
  }

  @Test
  void twoValuesForOneMeaningAreRefused() {
    OptionResolver resolver =
        resolver(
            OptionLayer.query(Map.of("tail.max.rows", "5", "fluss.union_read.max_tail_rows", "6")));

    assertThatThrownBy(() -> resolver.get(LakestreamOptions.TAIL_MAX_ROWS))
        .hasMessageStartingWith("[LAKESTREAM_INVALID_OPTION] db.t: ")
        .hasMessageContaining("'5'")
        .hasMessageContaining("'6'");
  }

  @Test
  void aWrongValueIsNamedWithItsRange() {
    OptionResolver resolver = resolver(OptionLayer.query(Map.of("batch-size", "0")));

    assertThatThrownBy(() -> resolver.get(LakestreamOptions.BATCH_SIZE))
        .hasMessage(
            "[LAKESTREAM_INVALID_OPTION] db.t: the query option 'batch-size' has the value '0',"
                + " which is not a whole number, 1 to 65536. Correct it or leave it out.");
    assertThatThrownBy(
            () ->
                resolver(OptionLayer.query(Map.of("union.read.mode", "both")))
                    .get(LakestreamOptions.READ_MODE))
        .hasMessageContaining("`auto`, `required`, `lake`");
    assertThatThrownBy(
            () ->
                resolver(OptionLayer.query(Map.of("request.timeout", "soon")))
                    .get(LakestreamOptions.REQUEST_TIMEOUT))
        .hasMessageContaining("'soon'");
  }

  @Test
  void unknownKeysUnderOurPrefixesAreRefusedWithTheNearestName() {
    assertThatThrownBy(
            () -> resolver(OptionLayer.session(Map.of("spark.sql.lakestream.splitsize", "1m"))))
        .hasMessageContaining("there is no session setting 'splitsize'")
        .hasMessageContaining("Did you mean 'split-size'?");
    assertThatThrownBy(() -> resolver(OptionLayer.table(Map.of("lakestream.lakes", "hudi"))))
        .hasMessageContaining("Did you mean 'lake'?");
    assertThatThrownBy(() -> resolver(OptionLayer.query(Map.of("lakestream.whatever", "1"))))
        .hasMessageContaining("'lakestream.whatever'");
  }

  @Test
  void queryOptionsThatLookLikeOursAreRefusedAndOthersAreNot() {
    assertThatThrownBy(() -> resolver(OptionLayer.query(Map.of("tail.max.row", "1"))))
        .hasMessageContaining("Did you mean 'tail.max.rows'?");
    assertThat(resolver(OptionLayer.query(Map.of("mergeSchema", "true")))).isNotNull();
  }

  @Test
  void boundsCannotComeFromTheSession() {
    assertThatThrownBy(
            () -> resolver(OptionLayer.session(Map.of("spark.sql.lakestream.snapshot.pin", "{}"))))
        .hasMessageContaining("'snapshot.pin' cannot be given as a session setting")
        .hasMessageContaining("query option");
  }

  @Test
  void prefixedOptionsAreCollectedAndStrongerLayersWin() {
    OptionResolver resolver =
        resolver(
            OptionLayer.catalog(Map.of("client.a", "1", "client.b", "2")),
            OptionLayer.query(Map.of("client.b", "3")));

    assertThat(resolver.underPrefix("client."))
        .containsExactlyEntriesOf(new java.util.TreeMap<>(Map.of("a", "1", "b", "3")));
  }

  @Test
  void durationsAndMissingOptions() {
    assertThat(resolver().get(LakestreamOptions.IDLE_TIMEOUT)).isEqualTo(Duration.ofMinutes(2));
    assertThatThrownBy(() -> resolver().require(LakestreamOptions.BOOTSTRAP_SERVERS))
        .hasMessageContaining("'bootstrap.servers' is missing");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hadoop.fs.s3a.endpoint",
        "hadoop.fs.file.impl",
        "client.security.sasl.username",
        "fluss.client.id",
        "fluss.option.client.connect-timeout",
        "HADOOP.fs.defaultFS",
        "request.timeout",
        "bootstrap.servers",
        "hudi.allowed.paths",
        "hudi.catalog.path"
      })
  void tablesAndSessionsCannotSayHowToConnect(String key) {
    assertThatThrownBy(() -> resolver(OptionLayer.table(Map.of("lakestream." + key, "x"))))
        .hasMessage(
            "[LAKESTREAM_INVALID_OPTION] db.t: '"
                + key
                + "' cannot be given as a table property. Give it as catalog setting or query"
                + " option.");
    assertThatThrownBy(
            () -> resolver(OptionLayer.session(Map.of("spark.sql.lakestream." + key, "x"))))
        .hasMessageContaining("'" + key + "' cannot be given as a session setting.");
    assertThat(resolver(OptionLayer.catalog(Map.of(key, "x")))).isNotNull();
    assertThat(resolver(OptionLayer.query(Map.of("lakestream." + key, "x")))).isNotNull();
  }

  @Test
  void tablesCannotSetWhatHudiReads() {
    assertThatThrownBy(
            () ->
                resolver(
                    OptionLayer.table(Map.of("lakestream.hudi.hoodie.clean.automatic", "true"))))
        .hasMessageContaining("there is no table property 'hudi.hoodie.clean.automatic'");
  }

  @Test
  void layersShowKeysOnly() {
    OptionLayer layer = OptionLayer.catalog(Map.of("client.security.sasl.password", "hush"));
    assertThat(layer).hasToString("catalog settings [client.security.sasl.password]");
  }
}
