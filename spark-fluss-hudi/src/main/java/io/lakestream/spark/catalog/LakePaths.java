package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.types.TablePath;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;

/**
 * Checks where a lake is said to be. A path means the folder that it spells: absolute, without
 * steps back, not the root and not inside the metadata of a Hudi table. It carries no password,
 * because it is shown in plans and messages.
 */
final class LakePaths {
  private static final List<String> STEPS = List.of(".", "..");
  private static final String HUDI_METADATA = ".hoodie";
  private static final String REMEDY =
      "Give the absolute path of a folder, for example s3a://bucket/lake/db/table.";

  /** {@code scheme://user:password@host}; a password may hold slashes, so that it is no host. */
  private static final Pattern PASSWORD = Pattern.compile("^[^:/]+://[^@]*:[^@]*@");

  private LakePaths() {}

  /**
   * Checks a path's form.
   *
   * @return the path as it was given
   * @throws LakestreamException {@code INVALID_OPTION}
   */
  static String requireLegal(TablePath table, String path) {
    if (PASSWORD.matcher(path).find()) {
      throw LakestreamException.of(
          ErrorCode.INVALID_OPTION,
          table,
          "the lake path holds a user's password, which plans and messages would show.",
          "Give credentials as 'hadoop.*' options.");
    }
    String problem = problem(path, parse(table, path));
    if (problem != null) {
      throw illegal(table, path, problem, null);
    }
    return path;
  }

  private static URI parse(TablePath table, String path) {
    try {
      return new Path(path).toUri();
    } catch (IllegalArgumentException e) {
      throw illegal(table, path, "is not a path", e);
    }
  }

  private static String problem(String path, URI uri) {
    if (!path.equals(path.strip()) || path.chars().anyMatch(Character::isISOControl)) {
      return "has blanks at its ends or control characters";
    }
    if (!uri.getPath().startsWith(Path.SEPARATOR)) {
      return "is not absolute";
    }
    // Not the parsed path, from which the steps are gone.
    List<String> names = Arrays.asList(path.split(Path.SEPARATOR));
    if (names.stream().anyMatch(STEPS::contains)) {
      return "has steps ('.' or '..')";
    }
    if (names.contains(HUDI_METADATA)) {
      return "is inside the metadata of a Hudi table";
    }
    return uri.getPath().equals(Path.SEPARATOR) ? "is the root of a file system" : null;
  }

  /**
   * Checks that a path which the table itself gives is where the operator lets lakes be.
   *
   * @param allowed the folders, separated by commas; empty if any folder will do
   * @param catalogFolder a folder that is allowed in any case
   * @throws LakestreamException {@code INVALID_OPTION}
   */
  static void requireAllowed(
      TablePath table, String path, Optional<String> allowed, Optional<String> catalogFolder) {
    if (allowed.isEmpty()) {
      return;
    }
    boolean inside =
        Arrays.stream(allowed.get().split(","))
                .map(String::strip)
                .filter(folder -> !folder.isEmpty())
                .anyMatch(folder -> isInside(path, folder))
            || catalogFolder.filter(folder -> isInside(path, folder)).isPresent();
    if (!inside) {
      throw LakestreamException.of(
          ErrorCode.INVALID_OPTION,
          table,
          "the table's properties place its lake at '"
              + path
              + "', which is in none of the folders that 'hudi.allowed.paths' names: "
              + allowed.get()
              + ".",
          "Move the lake, or add its folder to 'hudi.allowed.paths' of the catalog.");
    }
  }

  private static boolean isInside(String path, String folder) {
    URI inner = new Path(path).toUri();
    URI outer = new Path(folder).toUri();
    String prefix =
        outer.getPath().endsWith(Path.SEPARATOR)
            ? outer.getPath()
            : outer.getPath() + Path.SEPARATOR;
    return Objects.equals(inner.getScheme(), outer.getScheme())
        && Objects.equals(inner.getAuthority(), outer.getAuthority())
        && inner.getPath().startsWith(prefix);
  }

  /** A name that stands for one folder of a path. */
  static String requireFolderName(TablePath table, String property, String name) {
    if (name.isEmpty() || name.contains(Path.SEPARATOR) || STEPS.contains(name)) {
      throw LakestreamException.of(
          ErrorCode.INVALID_OPTION,
          table,
          "the table property '"
              + property
              + "' is '"
              + name
              + "', which is not one folder's name.",
          "Give a name without '/'.");
    }
    return name;
  }

  private static LakestreamException illegal(
      TablePath table, String path, String problem, Exception cause) {
    return LakestreamException.of(
        ErrorCode.INVALID_OPTION,
        table,
        "the lake path '" + path + "' " + problem + ".",
        REMEDY,
        cause);
  }
}
