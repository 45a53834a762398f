package io.lakestream.spark.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the {@link Environment}: started by the first that asks, closed at the end of the
 * JVM. The build runs several JVMs, and hands each one class after the other.
 */
final class EnvironmentExtension implements ParameterResolver {
  private static Environment environment;

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Environment.class;
  }

  @Override
  public Environment resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return get();
  }

  private static synchronized Environment get() {
    if (environment == null) {
      try {
        Environment started = Environment.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(started)));
        environment = started;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return environment;
  }

  private static void close(Environment environment) {
    try {
      environment.close();
    } catch (Exception e) {
      throw new IllegalStateException("the environment does not close", e);
    }
  }
}
