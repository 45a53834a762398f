package io.lakestream.spark.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of a table's lake, as their names tell them. */
public final class LakeFiles {
  private static final Pattern NAME =
      Pattern.compile("\\.?(?<group>[^_.]+)_(?:\\d+\\.log\\..*|[^_]+_\\d+\\.parquet)");

  private LakeFiles() {}

  /** The file groups, as {@code <folder>/<file id>}. */
  public static Set<String> groups(TestTable table) {
    Path lake = table.lakeDirectory();
    Set<String> groups = new TreeSet<>();
    try (Stream<Path> files = Files.walk(lake)) {
      files
          .filter(file -> !file.startsWith(lake.resolve(".hoodie")))
          .forEach(
              file -> {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches()) {
                  groups.add(lake.relativize(file.getParent()) + "/" + name.group("group"));
                }
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return groups;
  }
}
