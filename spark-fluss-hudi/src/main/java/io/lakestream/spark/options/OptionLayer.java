package io.lakestream.spark.options;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The options given in one place. Keys are compared without regard to case, as Spark does. Values
 * may be secrets, so only keys are ever shown.
 *
 * @param scope which place
 * @param values key to value, prefixes of the place removed
 */
public record OptionLayer(Scope scope, Map<String, String> values) {
  public OptionLayer {
    TreeMap<String, String> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    sorted.putAll(values);
    values = sorted;
  }

  /** Options of one query or of {@code format("lakestream")}. */
  public static OptionLayer query(Map<String, String> options) {
    TreeMap<String, String> stripped = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    options.forEach((key, value) -> stripped.put(withoutOwnPrefix(key), value));
    return new OptionLayer(Scope.QUERY, stripped);
  }

  /** Session settings, of which only the lakestream ones are taken. */
  public static OptionLayer session(Map<String, String> settings) {
    return new OptionLayer(Scope.SESSION, under(settings, LakestreamOptions.SESSION_PREFIX));
  }

  /** Settings of a catalog, without the catalog's own prefix. */
  public static OptionLayer catalog(Map<String, String> settings) {
    return new OptionLayer(Scope.CATALOG, settings);
  }

  /** Properties of a table, of which only the lakestream ones are taken. */
  public static OptionLayer table(Map<String, String> properties) {
    return new OptionLayer(Scope.TABLE, under(properties, LakestreamOptions.TABLE_PREFIX));
  }

  private static Map<String, String> under(Map<String, String> values, String prefix) {
    TreeMap<String, String> result = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    values.forEach(
        (key, value) -> {
          if (startsWith(key, prefix)) {
            result.put(key.substring(prefix.length()), value);
          }
        });
    return result;
  }

  private static String withoutOwnPrefix(String key) {
    if (!startsWith(key, LakestreamOptions.TABLE_PREFIX)) {
      return key;
    }
    // An unknown key keeps its prefix, by which the check sees that it was meant for us.
    String stripped = key.substring(LakestreamOptions.TABLE_PREFIX.length());
    return KnownKeys.isKnown(stripped) ? stripped : key;
  }

  /** Whether a key stands under a prefix, in any spelling of case. */
  public static boolean startsWith(String key, String prefix) {
    return key.toLowerCase(Locale.ROOT).startsWith(prefix);
  }

  @Override
  public String toString() {
    return scope.label() + "s " + values.keySet();
  }
}
