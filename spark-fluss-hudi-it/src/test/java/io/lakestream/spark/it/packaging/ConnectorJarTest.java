package io.lakestream.spark.it.packaging;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.error.ErrorCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is, and what must not be, in the one jar that users put on their class path. */
class ConnectorJarTest {
  private static JarFile jar;

  @BeforeAll
  static void openTheJarOnTheClassPath() throws IOException, URISyntaxException {
    Path location =
        Path.of(ErrorCode.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    assertThat(Files.isRegularFile(location))
        .as("the connector on the class path is a packaged jar (run 'mvn verify'): %s", location)
        .isTrue();
    jar = new JarFile(location.toFile());
  }

  @AfterAll
  static void closeTheJar() throws IOException {
    if (jar != null) {
      jar.close();
    }
  }

  @Test
  void bringsTheFlussClient() {
    assertThat(names())
        .contains(
            "org/apache/fluss/client/ConnectionFactory.class",
            "org/apache/fluss/metadata/TableInfo.class",
            "org/apache/fluss/fs/FileSystem.class");
  }

  @Test
  void isTheOnlySourceOfFlussClassesHere() throws IOException {
    String client = "org/apache/fluss/client/ConnectionFactory.class";
    assertThat(Collections.list(getClass().getClassLoader().getResources(client)))
        .singleElement()
        .asString()
        .contains(Path.of(jar.getName()).getFileName().toString());
  }

  @Test
  void registersTheShortFormatName() throws IOException {
    assertThat(lines("META-INF/services/org.apache.spark.sql.sources.DataSourceRegister"))
        .containsExactly("io.lakestream.spark.catalog.LakestreamTableProvider");
  }

  @Test
  void keepsTheServicesOfTheFlussClient() throws IOException {
    assertThat(lines("META-INF/services/org.apache.fluss.security.auth.AuthenticationPlugin"))
        .isNotEmpty();
  }

  @Test
  void hasOnlyOurAndFlussClasses() {
    TreeSet<String> roots =
        classes()
            .map(name -> name.startsWith("org/apache/fluss/") ? "org/apache/fluss" : name)
            .map(name -> name.startsWith("io/lakestream/spark/") ? "io/lakestream/spark" : name)
            .collect(toCollection(TreeSet::new));
    assertThat(roots).containsExactly("io/lakestream/spark", "org/apache/fluss");
  }

  @Test
  void hasNothingThatSparkOrHudiBring() {
    assertThat(names())
        .noneMatch(name -> name.startsWith("org/slf4j/"))
        .noneMatch(name -> name.startsWith("org/apache/spark/"))
        .noneMatch(name -> name.startsWith("org/apache/hudi/"))
        .noneMatch(name -> name.startsWith("org/apache/hadoop/"))
        .noneMatch(name -> name.startsWith("scala/"))
        .noneMatch(name -> name.startsWith("org/rocksdb/"));
  }

  @Test
  void hasNoFlussServer() {
    assertThat(names()).noneMatch(name -> name.startsWith("org/apache/fluss/server/"));
  }

  @Test
  void hasNativeLibrariesOnlyUnderRelocatedNames() {
    assertThat(names().stream().filter(name -> name.matches(".*\\.(so|dll|dylib|jnilib)")))
        .isNotEmpty()
        .allMatch(name -> name.startsWith("META-INF/native/liborg_apache_fluss_shaded_"));
  }

  @Test
  void hasNoVariantsForNewerJavaThatWouldReplaceClassesOfSparksLibraries() {
    assertThat(names()).noneMatch(name -> name.startsWith("META-INF/versions/"));
  }

  @Test
  void statesItsLicenceAndNoticeOnce() throws IOException {
    assertThat(names().stream().filter(name -> name.matches("META-INF/(LICENSE|NOTICE)[^/]*")))
        .containsExactlyInAnyOrder("META-INF/LICENSE", "META-INF/NOTICE");
    assertThat(lines("META-INF/NOTICE")).startsWith("lakestream").contains("Apache Fluss");
    assertThat(names())
        .contains(
            "META-INF/FastDoubleParser-LICENSE",
            "META-INF/FastDoubleParser-NOTICE",
            "META-INF/bigint-LICENSE");
  }

  private static List<String> names() {
    return jar.stream().map(entry -> entry.getName()).filter(name -> !name.endsWith("/")).toList();
  }

  private static Stream<String> classes() {
    return names().stream().filter(name -> name.endsWith(".class"));
  }

  private static List<String> lines(String entry) throws IOException {
    assertThat(jar.getEntry(entry)).as(entry).isNotNull();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                jar.getInputStream(jar.getEntry(entry)), StandardCharsets.UTF_8))) {
      return reader.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }
  }
}
