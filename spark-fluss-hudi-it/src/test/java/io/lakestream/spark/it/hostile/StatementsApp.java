package io.lakestream.spark.it.hostile;

import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * A Spark application that runs SQL statements and prints their rows as JSON. It knows nothing of
 * the connector, which Spark loads as a user's jar. With {@code -D}{@link #KILL} it kills the
 * executor that starts the first task of a stage with that in its name.
 */
public final class StatementsApp {
  static final String KILL = "lakestream.test.kill.executor.of";
  static final String ROW = "ROW ";
  static final String ZONES = "ZONES ";
  static final String KILLED = "KILLED ";

  private StatementsApp() {}

  /** Runs the statements, one after the other. */
  public static void main(String[] statements) {
    SparkSession spark = SparkSession.builder().getOrCreate();
    spark
        .udf()
        .register("executor_zone", () -> TimeZone.getDefault().getID(), DataTypes.StringType);
    if (System.getProperty(KILL) != null) {
      spark
          .sparkContext()
          .addSparkListener(new ExecutorKiller(System.getProperty(KILL), executors(spark)));
    }
    System.out.println(ZONES + TimeZone.getDefault().getID());
    for (String statement : statements) {
      spark.sql(statement).toJSON().collectAsList().forEach(row -> System.out.println(ROW + row));
    }
    spark.stop();
  }

  /** The process of each executor. */
  private static Map<String, Long> executors(SparkSession spark) {
    spark
        .udf()
        .register(
            "executor",
            () -> SparkEnv.get().executorId() + " " + ProcessHandle.current().pid(),
            DataTypes.StringType);
    return spark.sql("SELECT DISTINCT executor() FROM range(0, 64, 1, 64)").collectAsList().stream()
        .map(row -> row.getString(0).split(" "))
        .collect(Collectors.toMap(parts -> parts[0], parts -> Long.valueOf(parts[1])));
  }

  private static final class ExecutorKiller extends SparkListener {
    private final String stageName;
    private final Map<String, Long> executors;
    private final AtomicInteger stage = new AtomicInteger(-1);
    private final AtomicBoolean done = new AtomicBoolean();

    ExecutorKiller(String stageName, Map<String, Long> executors) {
      this.stageName = stageName;
      this.executors = executors;
    }

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
      if (submitted.stageInfo().name().contains(stageName)) {
        stage.set(submitted.stageInfo().stageId());
      }
    }

    @Override
    public void onTaskStart(SparkListenerTaskStart start) {
      if (start.stageId() == stage.get() && done.compareAndSet(false, true)) {
        kill(start.taskInfo().executorId());
      }
    }

    private void kill(String executor) {
      ProcessHandle.of(executors.get(executor)).orElseThrow().destroyForcibly();
      System.out.println(KILLED + executor);
    }
  }
}
