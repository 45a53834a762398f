package io.lakestream.spark.it;

import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.it.cluster.EmbeddedFluss;
import io.lakestream.spark.it.harness.Answer;
import io.lakestream.spark.it.harness.Environment;
import io.lakestream.spark.it.harness.IntegrationTest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A tablet server that goes away and comes back while a query runs, on a cluster of its own. */
class ServerRestartTest extends IntegrationTest {

  @Test
  @Tag("R-09")
  void wholeAnswerOrAClearError() throws Exception {
    Environment environment = environment();
    try (EmbeddedFluss fluss = EmbeddedFluss.start(environment.scratch("restart"), 1, Map.of())) {
      SparkSession spark = environment.spark();
      spark
          .conf()
          .set("spark.sql.catalog.restarted", "io.lakestream.spark.catalog.LakestreamCatalog");
      spark.conf().set("spark.sql.catalog.restarted.bootstrap.servers", fluss.bootstrapServers());
      spark
          .conf()
          .set(
              "spark.sql.catalog.restarted.hudi.catalog.path",
              environment.scratch("restart-lake").toString());
      sql("CREATE NAMESPACE restarted.db");
      sql("CREATE TABLE restarted.db.k (id INT, v INT) TBLPROPERTIES ('primary.key'='id')");
      sql(
          "INSERT INTO restarted.db.k SELECT CAST(id AS INT), CAST(id * 100 AS INT)"
              + " FROM range(1, 13)");
      List<List<Object>> whole = Answer.rows(List.of(row(12L, 7_800L)));
      assertThat(count().rows()).isEqualTo(whole);

      fluss.killTabletServer(0);
      CompletableFuture<Answer> running = CompletableFuture.supplyAsync(this::count);
      fluss.startTabletServer(0);

      try {
        assertThat(running.get(3, TimeUnit.MINUTES).rows()).isEqualTo(whole);
      } catch (ExecutionException e) {
        assertThat(ExceptionUtils.getThrowableList(e))
            .anyMatch(cause -> cause instanceof LakestreamException);
      }
      assertThat(count().rows()).isEqualTo(whole);
    }
  }

  private Answer count() {
    return Answer.of(sql("SELECT count(*), sum(v) FROM restarted.db.k"));
  }
}
