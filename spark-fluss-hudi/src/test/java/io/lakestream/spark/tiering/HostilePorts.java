package io.lakestream.spark.tiering;

import io.lakestream.spark.lake.LakeTableWriter;
import io.lakestream.spark.lake.LakeTables;
import io.lakestream.spark.log.LakeSnapshotReporter;
import io.lakestream.spark.log.LogCluster;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/** Wraps the ports of one round so that something may happen before and after each call. */
final class HostilePorts {
  private final Consumer<String> event;

  /**
   * @param event what happens; it may throw, and it hears {@code before commit}, {@code after
   *     commit} and so on
   */
  HostilePorts(Consumer<String> event) {
    this.event = event;
  }

  LogCluster cluster(LogCluster cluster) {
    return wrap(LogCluster.class, cluster);
  }

  LakeTables lakes(LakeTables lakes) {
    return wrap(LakeTables.class, lakes);
  }

  RoundExecutor executor(RoundExecutor executor) {
    return wrap(RoundExecutor.class, executor);
  }

  private <T> T wrap(Class<T> port, T target) {
    Object proxy =
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (self, method, arguments) -> {
              boolean told = !method.getName().equals("close");
              if (told) {
                event.accept("before " + method.getName());
              }
              Object result;
              try {
                result = method.invoke(target, arguments);
              } catch (InvocationTargetException failure) {
                throw failure.getCause();
              }
              if (told) {
                event.accept("after " + method.getName());
              }
              if (result instanceof LakeTableWriter writer) {
                return wrap(LakeTableWriter.class, writer);
              }
              return result instanceof LakeSnapshotReporter reporter
                  ? wrap(LakeSnapshotReporter.class, reporter)
                  : result;
            });
    return port.cast(proxy);
  }
}
