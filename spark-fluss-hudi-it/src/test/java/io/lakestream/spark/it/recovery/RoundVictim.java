package io.lakestream.spark.it.recovery;

import io.lakestream.spark.fluss.FlussClusters;
import io.lakestream.spark.fluss.ReadSettings;
import io.lakestream.spark.hudi.HudiLakeTables;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.tiering.OffsetsFileReader;
import io.lakestream.spark.tiering.SparkRoundExecutor;
import io.lakestream.spark.tiering.TieringRound;
import io.lakestream.spark.tiering.TieringSettings;
import io.lakestream.spark.types.TablePath;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/**
 * A program that runs one round and dies in it, unless it is killed before. It gets ready first,
 * then waits for a line with a database, a table and a {@link KillPoint}.
 */
final class RoundVictim {
  static final int EXIT_CODE = 86;

  private RoundVictim() {}

  public static void main(String[] arguments) throws Exception {
    String bootstrapServers = arguments[0];
    String lake = arguments[1];
    Duration heartbeatTimeout = Duration.parse(arguments[2]);
    SparkSession spark =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .getOrCreate();
    LogCluster cluster =
        FlussClusters.connect(
            Map.of("bootstrap.servers", bootstrapServers),
            Duration.ofSeconds(30),
            ReadSettings.defaults());
    String[] order =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
            .readLine()
            .split(" ");
    InterruptedPorts ports =
        new InterruptedPorts(
            KillPoint.valueOf(order[2]), () -> Runtime.getRuntime().halt(EXIT_CODE));
    new TieringRound(
            ports.cluster(cluster),
            ports.lakes(new HudiLakeTables(spark, Map.of(), heartbeatTimeout)),
            ports.executor(new SparkRoundExecutor(spark)),
            OffsetsFileReader.hadoop(spark.sparkContext().hadoopConfiguration()))
        .run(
            new TablePath(order[0], order[1]),
            TieringSettings.at(lake + "/" + order[0] + "/" + order[1]));
  }
}
