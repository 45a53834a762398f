package io.lakestream.spark.it.quickstart;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/**
 * What the quick start is told by system properties.
 *
 * @param directory holds the servers' data, the lake and nothing else; emptied at the start
 * @param bootstrapServers a running cluster to use instead of starting one
 * @param scale the TPC-H scale factor of the input
 * @param serve whether to stay up at the end
 * @param hudiPackage Maven coordinates of the Hudi bundle, for what users paste
 */
record QuickStartOptions(
    Path directory,
    Optional<String> bootstrapServers,
    double scale,
    boolean serve,
    String hudiPackage) {
  private static final double MAX_SCALE = 10;

  static QuickStartOptions from(Properties properties) {
    return new QuickStartOptions(
        Path.of(properties.getProperty("quickstart.directory", "target/quickstart"))
            .toAbsolutePath()
            .normalize(),
        Optional.ofNullable(properties.getProperty("bootstrap.servers"))
            .filter(address -> !address.isBlank()),
        scale(properties.getProperty("scale", "0.01")),
        serve(properties.getProperty("serve", "false")),
        properties.getProperty("quickstart.hudi.package", "<the Hudi bundle>"));
  }

  private static double scale(String text) {
    double scale;
    try {
      scale = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(notAScale(text), e);
    }
    if (!(scale > 0 && scale <= MAX_SCALE)) {
      throw new IllegalArgumentException(notAScale(text));
    }
    return scale;
  }

  private static String notAScale(String text) {
    return "-Dscale=" + text + " is not a TPC-H scale factor above 0 and up to " + MAX_SCALE + ".";
  }

  /** A bare {@code -Dserve} has an empty value, or {@code true} when Maven passes it on. */
  private static boolean serve(String text) {
    return text.isEmpty() || Boolean.parseBoolean(text);
  }
}
