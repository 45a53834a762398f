package io.lakestream.spark.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the {@link Environment}: started by the first that asks, closed after the last. */
final class EnvironmentExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(EnvironmentExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Environment.class;
  }

  @Override
  public Environment resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(Environment.class, key -> start(), Environment.class);
  }

  private static Environment start() {
    try {
      return Environment.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
