package io.lakestream.spark.it.cluster;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds the Fluss server's jars, which the build puts beside our classes, never among them. */
final class ServerJars {
  /** Names the folder that holds the server's jars, where the default is not right. */
  static final String FOLDER_PROPERTY = "lakestream.fluss.server.jars";

  private static final String SERVER_JAR_PREFIX = "fluss-server-";

  private ServerJars() {}

  /**
   * The class path of a server JVM: this package's classes and the server's jars.
   *
   * @throws IllegalStateException if no folder with the server jar is found
   */
  static List<Path> classPath() throws IOException {
    List<Path> candidates = candidates();
    for (Path folder : candidates) {
      List<Path> jars = jars(folder);
      if (jars.stream().anyMatch(ServerJars::isServerJar)) {
        List<Path> classPath = new ArrayList<>(jars);
        classPath.add(ownClasses());
        return classPath;
      }
    }
    throw new IllegalStateException(
        "The Fluss server jar ("
            + SERVER_JAR_PREFIX
            + "*.jar) is in none of "
            + candidates
            + ". Run `mvn generate-resources` once, or name its folder by -D"
            + FOLDER_PROPERTY
            + "=...");
  }

  private static List<Path> candidates() {
    String configured = System.getProperty(FOLDER_PROPERTY);
    if (configured != null) {
      return List.of(Path.of(configured).toAbsolutePath());
    }
    return List.of(
        Path.of("target", "fluss-server").toAbsolutePath(),
        Path.of("spark-fluss-hudi-it", "target", "fluss-server").toAbsolutePath());
  }

  private static List<Path> jars(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }

  private static boolean isServerJar(Path jar) {
    return jar.getFileName().toString().startsWith(SERVER_JAR_PREFIX);
  }

  private static Path ownClasses() {
    try {
      return Path.of(ServerMain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("The classes of this module are not in a file.", e);
    }
  }
}
