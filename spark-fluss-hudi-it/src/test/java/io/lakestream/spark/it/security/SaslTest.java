package io.lakestream.spark.it.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.catalog.LakestreamTiering;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.PrivateCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A cluster that wants a name and a password: who has them, who has not, and where they show. */
class SaslTest extends IntegrationTest {
  private static final String RIGHT = "right-7f3a";
  private static final String WRONG = "wrong-9c1e";
  private static final List<String> SECRETS = List.of(RIGHT, WRONG);

  /** The client's own patience is two minutes; the default time-out of a request is 10 s. */
  private static final Duration AT_ONCE = Duration.ofSeconds(9);

  private static final String LOGIN_MODULE =
      "org.apache.fluss.security.auth.sasl.plain.PlainLoginModule required ";

  private PrivateCluster cluster;

  @BeforeAll
  void startCluster() throws Exception {
    Map<String, String> servers = new HashMap<>(client("server", RIGHT));
    servers.put("security.protocol.map", "FLUSS:sasl");
    servers.put("security.sasl.enabled.mechanisms", "plain");
    servers.put(
        "security.sasl.plain.jaas.config",
        LOGIN_MODULE
            + "user_server=\"%s\" user_analyst=\"%s\" user_other=\"%s\";"
                .formatted(RIGHT, RIGHT, RIGHT));
    cluster = PrivateCluster.start(environment(), 1, servers, client("analyst", RIGHT));
  }

  @AfterAll
  void stopCluster() {
    cluster.close();
  }

  private static Map<String, String> client(String user, String password) {
    return Map.of(
        "client.security.protocol",
        "sasl",
        "client.security.sasl.mechanism",
        "plain",
        "client.security.sasl.username",
        user,
        "client.security.sasl.password",
        password);
  }

  private static Map<String, String> jaas(String user, String password) {
    return Map.of(
        "client.security.protocol", "sasl",
        "client.security.sasl.mechanism", "plain",
        "client.security.sasl.jaas.config",
            LOGIN_MODULE + "username=\"%s\" password=\"%s\";".formatted(user, password));
  }

  @Test
  void theRightPasswordReadsWritesAndTiersAndIsNeverShown() {
    try (SecretWatch watch = new SecretWatch(SECRETS)) {
      String table = cluster.table("orders");
      sql("CREATE TABLE " + table + " (id INT, s STRING) TBLPROPERTIES ('primary.key'='id')");
      sql("INSERT INTO " + table + " VALUES (1, 'a'), (2, 'b')");
      cluster.tier("orders");
      sql("INSERT INTO " + table + " VALUES (2, 'c'), (3, 'd')");

      assertThat(cluster.rows("orders", "SELECT * FROM {t} ORDER BY id"))
          .containsExactly(List.of(1, "a"), List.of(2, "c"), List.of(3, "d"));
      assertShown(table);
      assertShownByFormat();
      assertThat(watch.events()).isPositive();
      assertThat(watch.told()).isEmpty();
    }
  }

  private void assertShown(String table) {
    List<String> shown = new ArrayList<>();
    for (String mode : List.of("", "EXTENDED", "FORMATTED", "COST", "CODEGEN")) {
      shown.add(text(sql("EXPLAIN " + mode + " SELECT s, count(*) FROM " + table + " GROUP BY s")));
      shown.add(text(sql("EXPLAIN " + mode + " INSERT INTO " + table + " VALUES (9, 'x')")));
    }
    shown.add(text(sql("SHOW TBLPROPERTIES " + table)));
    shown.add(text(sql("DESCRIBE EXTENDED " + table)));
    shown.add(text(sql("SHOW CREATE TABLE " + table)));
    shown.add(text(sql("SET")));
    Dataset<Row> read = sql("SELECT * FROM " + table);
    shown.add(read.queryExecution().toString());
    shown.add(read.queryExecution().analyzed().toJSON());
    assertThat(shown).allSatisfy(SaslTest::assertNoSecret);
  }

  private void assertShownByFormat() {
    for (Map<String, String> client : List.of(client("analyst", RIGHT), jaas("other", RIGHT))) {
      Dataset<Row> read =
          environment()
              .format()
              .options(client)
              .option("bootstrap.servers", cluster.fluss().bootstrapServers())
              .option("hudi.path", cluster.lake("orders").toString())
              .load("db.orders");
      assertThat(read.count()).isEqualTo(3);
      assertNoSecret(read.queryExecution().toString());
      assertNoSecret(read.queryExecution().analyzed().treeString());
      String options =
          client.entrySet().stream()
              .map(entry -> entry.getKey() + " '" + entry.getValue() + "'")
              .reduce((a, b) -> a + ", " + b)
              .orElseThrow();
      String view =
          "CREATE OR REPLACE TEMPORARY VIEW secured USING lakestream OPTIONS (table 'db.orders',"
              + " bootstrap.servers '%s', hudi.path '%s', %s)"
                  .formatted(cluster.fluss().bootstrapServers(), cluster.lake("orders"), options);
      assertNoSecret(text(sql("EXPLAIN EXTENDED " + view)));
      sql(view);
      assertThat(sql("SELECT * FROM secured").count()).isEqualTo(3);
      assertNoSecret(text(sql("EXPLAIN EXTENDED SELECT * FROM secured")));
    }
  }

  @Test
  void aWrongPasswordIsToldAtOnce() {
    String intruder = cluster.catalog(client("analyst", WRONG));
    String stranger = cluster.catalog(jaas("nobody", WRONG));
    String nameless = cluster.catalog(Map.of());
    sql("CREATE TABLE " + cluster.table("guarded") + " (id INT)");
    try (SecretWatch watch = new SecretWatch(SECRETS)) {
      for (String catalog : List.of(intruder, stranger)) {
        assertRefused(() -> sql("SELECT * FROM " + catalog + ".db.guarded").collectAsList());
        assertRefused(() -> sql("INSERT INTO " + catalog + ".db.guarded VALUES (1)"));
        assertRefused(
            () -> LakestreamTiering.tierOnce(environment().spark(), catalog, "db.guarded"));
      }
      assertRefused(() -> sql("SELECT * FROM " + nameless + ".db.guarded").collectAsList());
      assertRefused(
          () ->
              environment()
                  .format()
                  .options(client("analyst", WRONG))
                  .option("bootstrap.servers", cluster.fluss().bootstrapServers())
                  .load("db.guarded"));
      assertThat(watch.told()).isEmpty();
    }
    assertThat(cluster.rows("guarded", "SELECT * FROM {t}")).isEmpty();
  }

  @Test
  void credentialsThatCannotBeParsedAreNotRepeated() {
    String catalog =
        cluster.catalog(
            Map.of(
                "client.security.protocol", "sasl",
                "client.security.sasl.mechanism", "plain",
                "client.security.sasl.jaas.config", "no.such.Module password=\"" + WRONG));
    assertThatThrownBy(() -> sql("SELECT * FROM " + catalog + ".db.guarded"))
        .satisfies(thrown -> assertNoSecret(SecretWatch.chain(thrown)));
  }

  private static void assertRefused(ThrowingCallable call) {
    long start = System.nanoTime();
    assertThatThrownBy(call)
        .hasMessageStartingWith("[LAKESTREAM_ACCESS_DENIED] ")
        .hasMessageContaining("client.security.")
        .satisfies(thrown -> assertNoSecret(SecretWatch.chain(thrown)));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
  }

  private static void assertNoSecret(String text) {
    assertThat(text).doesNotContain(RIGHT).doesNotContain(WRONG);
  }

  private static String text(Dataset<Row> shown) {
    return shown.collectAsList().toString();
  }
}
