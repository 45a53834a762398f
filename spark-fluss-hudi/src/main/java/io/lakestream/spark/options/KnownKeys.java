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
  private static final List<String> OPEN_PREFIXES =
      Stream.concat(
              LakestreamOptions.CLIENT_PREFIXES.stream(),
              Stream.of(LakestreamOptions.HUDI_PREFIX, LakestreamOptions.HADOOP_PREFIX))
          .toList();

  /** A key this close to a known one is taken for a slip of the finger. */
  private static final int LIKELY_TYPO = 2;

  private KnownKeys() {}

  static void check(Object subject, OptionLayer layer) {
    for (String key : layer.values().keySet()) {
      Option<?> option = optionOf(key);
      if (option != null) {
        checkScope(subject, layer, key, option);
      } else if (!isOpen(key)) {
        checkUnknown(subject, layer, key);
      }
    }
  }

  /** Whether some option or open prefix takes this key. */
  static boolean isKnown(String key) {
    return optionOf(key) != null || isOpen(key);
  }

  private static boolean isOpen(String key) {
    return OPEN_PREFIXES.stream().anyMatch(prefix -> OptionLayer.startsWith(key, prefix));
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
    boolean ownNamespace = layer.scope() == Scope.SESSION || layer.scope() == Scope.TABLE;
    if (ownNamespace && !option.scopes().contains(layer.scope())) {
      throw LakestreamException.of(
          ErrorCode.INVALID_OPTION,
          subject,
          "'" + key + "' cannot be given as a " + layer.scope().label() + ".",
          "Give it as " + labels(option.scopes()) + ".");
    }
  }

  private static void checkUnknown(Object subject, OptionLayer layer, String key) {
    // Session settings and table properties stand under our own prefix: every unknown one is an
    // error. Query and catalog options may be meant for others, unless they look like ours.
    boolean ownNamespace =
        layer.scope() == Scope.SESSION
            || layer.scope() == Scope.TABLE
            || OptionLayer.startsWith(key, LakestreamOptions.TABLE_PREFIX);
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
