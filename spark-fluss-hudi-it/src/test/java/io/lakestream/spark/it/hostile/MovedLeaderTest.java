package io.lakestream.spark.it.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.PrivateCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.client.metadata.MetadataUpdater;
import org.apache.fluss.config.ConfigOptions;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TablePath;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The leader of a bucket dies while it is read, for good: the replica on another server leads. */
class MovedLeaderTest extends IntegrationTest {
  private static final int ROWS = 60_000;
  private static final int HALF = ROWS / 2;
  private static final Row WHOLE = RowFactory.create((long) ROWS, (long) ROWS * (ROWS - 1) / 2);
  private static final Duration RECOVERY = Duration.ofSeconds(90);
  private static final String TABLE = "moved";

  @ParameterizedTest
  @ValueSource(strings = {"", "'primary.key'='id',"})
  void aReadAndARoundGoOnAtTheNextLeader(String key) throws Exception {
    try (PrivateCluster cluster =
        PrivateCluster.start(environment(), 2, Map.of(), Map.of("request.timeout", "30s"))) {
      sql(
          "CREATE TABLE %s (id INT, s STRING) TBLPROPERTIES (%s 'bucket.num'='1',"
                  .formatted(cluster.table(TABLE), key)
              + " 'table.replication.factor'='2')");
      cluster.insert(TABLE, 0, HALF);
      cluster.tier(TABLE);
      cluster.insert(TABLE, HALF, ROWS);
      int leader = leader(cluster);

      Gate gate = Gate.next(environment().spark());
      CompletableFuture<List<Row>> query = CompletableFuture.supplyAsync(() -> sum(cluster));
      gate.awaitReached();
      cluster.fluss().killTabletServer(leader);
      gate.open();
      assertThat(query.get(RECOVERY.toSeconds(), TimeUnit.SECONDS)).containsExactly(WHOLE);

      // Whatever the query did not need the log for, a round does.
      cluster.tier(TABLE);
      assertThat(leader(cluster)).isNotEqualTo(leader);
      assertThat(sum(cluster)).containsExactly(WHOLE);
      assertThat(cluster.rows("`" + TABLE + "$lake`", "SELECT count(*), sum(id) FROM {t}"))
          .containsExactly(List.of(WHOLE.get(0), WHOLE.get(1)));
    }
  }

  private List<Row> sum(PrivateCluster cluster) {
    return Gate.sum(environment().spark(), cluster.table(TABLE), HALF);
  }

  private static int leader(PrivateCluster cluster) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(ConfigOptions.BOOTSTRAP_SERVERS, List.of(cluster.fluss().bootstrapServers()));
    TablePath path = TablePath.of(PrivateCluster.DATABASE, TABLE);
    try (Connection connection = ConnectionFactory.createConnection(configuration)) {
      TableBucket bucket =
          new TableBucket(connection.getAdmin().getTableInfo(path).get().getTableId(), 0);
      MetadataUpdater metadata = ((FlussConnection) connection).getMetadataUpdater();
      metadata.checkAndUpdateMetadata(path, bucket);
      return metadata.leaderFor(path, bucket);
    }
  }
}
