package io.lakestream.spark.options;

import java.util.List;
import java.util.Set;

/**
 * One option: the only place that knows its key, type, default and meaning.
 *
 * @param key the canonical key, without any prefix
 * @param aliases other keys that mean the same
 * @param type how its text is read
 * @param defaultText the default as a user would write it, or null if there is none
 * @param scopes where it may be given
 * @param doc what it does, in Markdown
 */
public record Option<T>(
    String key,
    List<String> aliases,
    ValueType<T> type,
    String defaultText,
    Set<Scope> scopes,
    String doc) {

  T parse(String text) {
    return type.parser().apply(text);
  }

  /** The valid values, in words. */
  public String range() {
    return type.range();
  }
}
