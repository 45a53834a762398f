package io.lakestream.spark.options;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Finds keys that nobody would read: misspelt ones, and ones given in the wrong place. */
final class KnownKeys {
  /**
   * What goes to the Fluss client and to Hadoop as it is. Only whoever connects may say it: a table
   * property is written by whoever made the table, and must not redirect file systems or choose
   * credentials and classes for those who read or tier it.
   */
  private static final List<String> CONNECTION_PREFIXES =
      Stream.concat(
              LakestreamOptions.CLIENT_PREFIXES.stream(),
              Stream.of(LakestreamOptions.HADOOP_PREFIX))
          .toList();

  /** A key this close to a known one is taken for a slip of the finger. */
  private static final int LIKELY_TYPO = 2;

  private KnownKeys() {}

  static void check(Object subject, OptionLayer layer) {
    for (String key : layer.values().keySet()) {
      Option<?> option = optionOf(key);
      if (option != null) {
        checkScope(subject, layer, key, option);
      } else if (isForConnecting(key)) {
        checkConnects(subject, layer, key);
      } else if (!isForOthers(layer, key)) {
        checkUnknown(subject, layer, key);
      }
    }
  }

  /** Whether some option or open prefix takes this key. */
  static boolean isKnown(String key) {
    return optionOf(key) != null
        || isForConnecting(key)
        || OptionLayer.startsWith(key, LakestreamOptions.HUDI_PREFIX);
  }

  private static boolean isForConnecting(String key) {
    return CONNECTION_PREFIXES.stream().anyMatch(prefix -> OptionLayer.startsWith(key, prefix));
  }

  private static boolean isForOthers(OptionLayer layer, String key) {
    return !isOwnNamespace(layer) && OptionLayer.startsWith(key, LakestreamOptions.HUDI_PREFIX);
  }

  /** Session settings and table properties stand under our own prefix. */
  private static boolean isOwnNamespace(OptionLayer layer) {
    return layer.scope() == Scope.SESSION || layer.scope() == Scope.TABLE;
  }

  private static Option<?> optionOf(String key) {
    for (Option<?> option : LakestreamOptions.all()) {
      if (namesOf(option).anyMatch(name -> name.equalsIgnoreCase(key))) {
        return option;
      }
    }
    return null;
  }

  private static void checkScope(Object subject, OptionLayer layer, String key, Option<?> option) {
    if (isOwnNamespace(layer) && !option.scopes().contains(layer.scope())) {
      throw misplaced(subject, layer, key, option.scopes());
    }
  }

  private static void checkConnects(Object subject, OptionLayer layer, String key) {
    if (isOwnNamespace(layer)) {
      throw misplaced(subject, layer, key, LakestreamOptions.CONNECTION);
    }
  }

  private static LakestreamException misplaced(
      Object subject, OptionLayer layer, String key, Set<Scope> scopes) {
    return LakestreamException.of(
        ErrorCode.INVALID_OPTION,
        subject,
        "'" + key + "' cannot be given as a " + layer.scope().label() + ".",
        "Give it as " + labels(scopes) + ".");
  }

  private static void checkUnknown(Object subject, OptionLayer layer, String key) {
    // In our own namespace every unknown key is an error. Query and catalog options may be meant
    // for others, unless they look like ours.
    boolean ownNamespace =
        isOwnNamespace(layer) || OptionLayer.startsWith(key, LakestreamOptions.TABLE_PREFIX);
    String nearest = nearest(key);
    if (ownNamespace || distance(key, nearest) <= LIKELY_TYPO) {
      throw LakestreamException.of(
          ErrorCode.INVALID_OPTION,
          subject,
          "there is no " + layer.scope().label() + " '" + key + "'.",
          "Did you mean '" + nearest + "'?");
    }
  }

  private static String nearest(String key) {
    return LakestreamOptions.all().stream()
        .flatMap(KnownKeys::namesOf)
        .min(Comparator.comparingInt(name -> distance(key, name)))
        .orElseThrow();
  }

  private static Stream<String> namesOf(Option<?> option) {
    return Stream.concat(Stream.of(option.key()), option.aliases().stream());
  }

  private static String labels(Set<Scope> scopes) {
    TreeSet<String> labels = new TreeSet<>();
    scopes.forEach(scope -> labels.add(scope.label()));
    return String.join(" or ", labels);
  }

  private static int distance(String key, String name) {
    return LevenshteinDistance.getDefaultInstance()
        .apply(key.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
  }
}
