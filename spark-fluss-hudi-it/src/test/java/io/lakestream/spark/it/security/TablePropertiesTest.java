package io.lakestream.spark.it.security;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.Environment;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.fluss.metadata.TableChange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What whoever may make or alter tables could slip to those who read and tier them. */
class TablePropertiesTest extends IntegrationTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hadoop.fs.file.impl",
        "client.security.sasl.username",
        "fluss.client.request.timeout",
        "bootstrap.servers"
      })
  void settingsOfConnectionsAreRefusedByReadersAndRounds(String key) {
    TestTable table = create("t", TableSpec.log("id INT"));
    table.apply(put(row(1)));
    setProperty(table, "lakestream." + key, "hostile");

    assertThatThrownBy(() -> table.query(EntryPoint.CATALOG, "SELECT * FROM {t}"))
        .hasMessage(refusal(table, key));
    assertThatThrownBy(() -> table.query(EntryPoint.FORMAT, "SELECT * FROM {t}"))
        .hasMessage(refusal(table, key));
    assertThatThrownBy(table::tier).hasMessage(refusal(table, key));
    assertThat(table.lakeDirectory()).doesNotExist();
  }

  private static String refusal(TestTable table, String key) {
    return "[LAKESTREAM_INVALID_OPTION] "
        + table.path()
        + ": '"
        + key
        + "' cannot be given as a table property. Give it as catalog setting or query option.";
  }

  @Test
  void hudiSettingsOfATableDoNotReachHudi() {
    TestTable table = create("t", TableSpec.keyed("id INT, v INT", "id"));
    setProperty(table, "hudi.hoodie.compact.inline", "true");
    setProperty(table, "hoodie.clean.automatic", "true");
    setProperty(table, "fs.file.impl", "no.such.FileSystem");
    for (int round = 1; round <= 2; round++) {
      table.apply(put(row(1, round)));
      table.tier();
    }
    assertRows(table, "SELECT * FROM {t}", row(1, 2));
    assertThat(table.timelineFiles())
        .filteredOn(file -> file.matches("\\d+_\\d+\\..*"))
        .allMatch(file -> file.endsWith(".deltacommit"))
        .hasSize(2);
  }

  @Test
  void aLakePathThatStepsBackIsRefused() {
    TestTable table = create("t", TableSpec.log("id INT"));
    table.apply(put(row(1)));
    String path = environment().lake() + "/../elsewhere";
    setProperty(table, "lakestream.hudi.path", path);

    assertThatThrownBy(() -> table.query(EntryPoint.CATALOG, "SELECT * FROM {t}"))
        .hasMessageContaining("the lake path '" + path + "' has steps ('.' or '..').");
    assertThatThrownBy(table::tier)
        .hasMessageContaining("the lake path '" + path + "' has steps ('.' or '..').");
  }

  @Test
  void aLakePathOfAnotherTableIsRefused() throws Exception {
    TestTable victim = create("victim", TableSpec.log("id INT, v INT"));
    victim.apply(put(row(1, 1)));
    victim.tier();
    TestTable thief = create("thief", TableSpec.log("id INT, v INT"));
    thief.apply(put(row(2, 2)));
    thief.tier();
    setProperty(thief, "lakestream.hudi.path", victim.lakeDirectory().toString());
    thief.apply(put(row(3, 3)));
    List<String> before = files(victim.lakeDirectory());

    assertThatThrownBy(() -> thief.query(EntryPoint.LAKE_ONLY, "SELECT * FROM {t}"))
        .hasMessageContaining("[LAKESTREAM_LAKE_MISMATCH] " + thief.path())
        .hasMessageContaining(
            "the Hudi table at " + victim.lakeDirectory() + " is the lake of " + victim.path());
    assertThatThrownBy(thief::tier)
        .hasMessageContaining("[LAKESTREAM_LAKE_MISMATCH] " + thief.path())
        .hasMessageContaining(victim.path());
    assertThat(files(victim.lakeDirectory())).isEqualTo(before);
    assertRows(victim, "SELECT * FROM {t}", row(1, 1));
  }

  @Test
  void aLakePathInsideAnotherTableIsRefused() throws Exception {
    TestTable victim = create("outer", TableSpec.log("id INT, v INT"));
    victim.apply(put(row(1, 1)));
    victim.tier();
    TestTable thief = create("inner", TableSpec.log("id INT, v INT"));
    thief.apply(put(row(3, 3)));
    setProperty(thief, "lakestream.hudi.path", victim.lakeDirectory() + "/dt=1/inner");
    List<String> before = files(victim.lakeDirectory());

    assertThatThrownBy(thief::tier)
        .hasMessageContaining("[LAKESTREAM_LAKE_MISMATCH] " + thief.path())
        .hasMessageContaining(
            victim.lakeDirectory()
                + "/dt=1/inner is inside the Hudi table at "
                + victim.lakeDirectory());
    assertThat(files(victim.lakeDirectory())).isEqualTo(before);
  }

  @Test
  void anOperatorMayLimitWhereLakesAre() throws Exception {
    TestTable table = create("t", TableSpec.log("id INT"));
    table.apply(put(row(1)));
    Path elsewhere = environment().scratch("elsewhere");
    setProperty(table, "lakestream.hudi.path", elsewhere.resolve("t").toString());
    String allowed = environment().scratch("allowed").toString();

    assertThat(
            environment()
                .spark()
                .read()
                .format("lakestream")
                .option("hudi.allowed.paths", allowed + "," + elsewhere)
                .load("lake." + table.path())
                .count())
        .isEqualTo(1);
    assertThatThrownBy(
            () ->
                environment()
                    .spark()
                    .read()
                    .format("lakestream")
                    .option("hudi.allowed.paths", allowed)
                    .load("lake." + table.path())
                    .count())
        .hasMessageContaining("'hudi.allowed.paths' names: " + allowed);
  }

  /** Whoever may alter tables can write any property, past the catalog's checks. */
  private void setProperty(TestTable table, String key, String value) {
    Environment.await(
        environment()
            .admin()
            .alterTable(table.flussPath(), List.of(TableChange.set(key, value)), false));
  }

  private static List<String> files(Path folder) throws Exception {
    try (var files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).map(Path::toString).sorted().toList();
    }
  }
}
