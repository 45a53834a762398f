package io.lakestream.spark.options;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Answers for every option which value holds: query option, then session setting, then catalog
 * setting, then table property, then the default. Driver only. Immutable.
 */
public final class OptionResolver {
  private final Object subject;
  private final List<OptionLayer> layers;

  /**
   * Checks and combines layers.
   *
   * @param subject what error messages are about, a table or a catalog
   * @throws LakestreamException {@code INVALID_OPTION} for an unknown key under a lakestream
   *     prefix, a key that looks like a misspelt one, or a key in a place where it may not stand
   */
  public OptionResolver(Object subject, List<OptionLayer> layers) {
    this.subject = subject;
    List<OptionLayer> ordered = new ArrayList<>(layers);
    ordered.sort(Comparator.comparing(OptionLayer::scope));
    this.layers = List.copyOf(ordered);
    for (OptionLayer layer : this.layers) {
      KnownKeys.check(subject, layer);
    }
  }

  /** These layers with one more. */
  public OptionResolver with(Object subject, OptionLayer layer) {
    List<OptionLayer> more = new ArrayList<>(layers);
    more.add(layer);
    return new OptionResolver(subject, more);
  }

  /** The value of an option that has a default. */
  public <T> T get(Option<T> option) {
    return find(option).orElseGet(() -> option.parse(option.defaultText()));
  }

  /** The value of an option, empty if it is given nowhere; its default does not count. */
  public <T> Optional<T> find(Option<T> option) {
    return find(option, option.scopes());
  }

  /** The value of an option where it is given in one of these places. */
  public <T> Optional<T> find(Option<T> option, Set<Scope> scopes) {
    for (OptionLayer layer : layers) {
      if (option.scopes().contains(layer.scope()) && scopes.contains(layer.scope())) {
        Optional<String> text = textOf(option, layer);
        if (text.isPresent()) {
          return Optional.of(parse(option, layer, text.get()));
        }
      }
    }
    return Optional.empty();
  }

  /** The value of an option that must be given. */
  public <T> T require(Option<T> option) {
    return find(option)
        .orElseThrow(
            () ->
                LakestreamException.of(
                    ErrorCode.INVALID_OPTION,
                    subject,
                    "the option '" + option.key() + "' is missing.",
                    "Set it to " + option.range() + "."));
  }

  /** All values whose keys begin with a prefix, the prefix removed; stronger layers win. */
  public Map<String, String> underPrefix(String prefix) {
    TreeMap<String, String> result = new TreeMap<>();
    for (int i = layers.size() - 1; i >= 0; i--) {
      layers
          .get(i)
          .values()
          .forEach(
              (key, value) -> {
                if (OptionLayer.startsWith(key, prefix)) {
                  result.put(key.substring(prefix.length()), value);
                }
              });
    }
    return result;
  }

  private Optional<String> textOf(Option<?> option, OptionLayer layer) {
    String found = layer.values().get(option.key());
    String foundKey = option.key();
    for (String alias : option.aliases()) {
      String other = layer.values().get(alias);
      if (other == null) {
        continue;
      }
      if (found != null && !found.equals(other)) {
        throw LakestreamException.of(
            ErrorCode.INVALID_OPTION,
            subject,
            "the "
                + layer.scope().label()
                + "s '"
                + foundKey
                + "' = '"
                + found
                + "' and '"
                + alias
                + "' = '"
                + other
                + "' mean the same but differ.",
            "Keep '" + option.key() + "' only.");
      }
      found = other;
      foundKey = alias;
    }
    return Optional.ofNullable(found);
  }

  private <T> T parse(Option<T> option, OptionLayer layer, String text) {
    try {
      return option.parse(text);
    } catch (IllegalArgumentException e) {
      throw LakestreamException.of(
          ErrorCode.INVALID_OPTION,
          subject,
          "the "
              + layer.scope().label()
              + " '"
              + option.key()
              + "' has the value '"
              + text
              + "', which is not "
              + option.range()
              + ".",
          "Correct it or leave it out.",
          e);
    }
  }
}
