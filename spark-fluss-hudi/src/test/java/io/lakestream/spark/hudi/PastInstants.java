package io.lakestream.spark.hudi;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.lake.LakeTableWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Rounds of another time: Hudi's own generator gives instants of now alone. */
public final class PastInstants {
  private PastInstants() {}

  /** A writer that requests the given instant. */
  public static LakeTableWriter requesting(String instant, LakeTableWriter writer) {
    return (LakeTableWriter)
        Proxy.newProxyInstance(
            PastInstants.class.getClassLoader(),
            new Class<?>[] {LakeTableWriter.class},
            (self, method, arguments) -> {
              if (method.getName().equals("requestInstant")) {
                assertThat(((HudiLakeTableWriter) writer).pending.add(instant)).isTrue();
                return instant;
              }
              try {
                return method.invoke(writer, arguments);
              } catch (InvocationTargetException failure) {
                throw failure.getCause();
              }
            });
  }
}
