package io.lakestream.spark.it.recovery;

import io.lakestream.spark.lake.LakeTableWriter;
import io.lakestream.spark.lake.LakeTables;
import io.lakestream.spark.log.LakeSnapshotReporter;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.tiering.RoundExecutor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** Wraps the ports of a round so that something happens, once, at one call. */
final class InterruptedPorts {
  private final KillPoint point;
  private final AtomicReference<Runnable> interruption;

  InterruptedPorts(KillPoint point, Runnable interruption) {
    this.point = point;
    this.interruption = new AtomicReference<>(interruption);
  }

  LogCluster cluster(LogCluster cluster) {
    return wrap(
        LogCluster.class,
        cluster,
        name -> "",
        result ->
            result instanceof LakeSnapshotReporter reporter
                ? wrap(
                    LakeSnapshotReporter.class,
                    reporter,
                    name -> name.equals("commit") ? "report" : "",
                    inner -> inner)
                : result);
  }

  LakeTables lakes(LakeTables lakes) {
    return wrap(
        LakeTables.class,
        lakes,
        name -> "",
        result ->
            wrap(LakeTableWriter.class, (LakeTableWriter) result, name -> name, inner -> inner));
  }

  RoundExecutor executor(RoundExecutor executor) {
    return wrap(RoundExecutor.class, executor, name -> name, result -> result);
  }

  /**
   * @param step what a call by that name is in terms of kill points
   * @param results wraps what calls return
   */
  private <T> T wrap(
      Class<T> port, T target, UnaryOperator<String> step, UnaryOperator<Object> results) {
    Object proxy =
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (self, method, arguments) -> {
              String name = step.apply(method.getName());
              if (point.isBefore(name)) {
                interrupt();
              }
              Object result;
              try {
                result = method.invoke(target, arguments);
              } catch (InvocationTargetException failure) {
                throw failure.getCause();
              }
              if (point.isAfter(name)) {
                interrupt();
              }
              return result == null ? null : results.apply(result);
            });
    return port.cast(proxy);
  }

  private void interrupt() {
    Runnable action = interruption.getAndSet(null);
    if (action != null) {
      action.run();
    }
  }
}
