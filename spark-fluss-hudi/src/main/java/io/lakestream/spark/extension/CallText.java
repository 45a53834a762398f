package io.lakestream.spark.extension;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads {@code CALL catalog.namespace.procedure(name => 'value', …)}. Values are text or numbers;
 * comments may stand anywhere between the words.
 */
final class CallText {
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<space>\\s+|--[^\\n]*\\n?|/\\*.*?\\*/)"
              + "|(?<word>[A-Za-z_][A-Za-z0-9_]*)"
              + "|`(?<quoted>(?:[^`]|``)+)`"
              + "|'(?<single>(?:[^'\\\\]|\\\\.|'')*)'"
              + "|\"(?<double>(?:[^\"\\\\]|\\\\.|\"\")*)\""
              + "|(?<number>-?[0-9]+)"
              + "|(?<mark>=>|[.(),;])"
              + "|(?<other>.)",
          Pattern.DOTALL);

  private final String text;
  private final List<Token> tokens;
  private int at;

  private CallText(String text) {
    this.text = text;
    this.tokens = tokens(text);
  }

  private enum Kind {
    NAME,
    VALUE,
    MARK,
    END
  }

  private record Token(Kind kind, String text) {}

  /** The catalog that a statement calls, empty if it is not of the form {@code CALL a.b.c…}. */
  static Optional<String> catalog(String text) {
    List<Token> tokens = tokens(text);
    boolean call =
        tokens.size() > 3
            && tokens.get(0).kind() == Kind.NAME
            && tokens.get(0).text().equalsIgnoreCase("CALL")
            && tokens.get(1).kind() == Kind.NAME
            && tokens.get(2).text().equals(".");
    return call ? Optional.of(tokens.get(1).text()) : Optional.empty();
  }

  /**
   * Takes a statement apart.
   *
   * @throws LakestreamException {@code INVALID_OPTION} if it is not well-formed
   */
  static CallStatement parse(String text) {
    return new CallText(text).statement();
  }

  private CallStatement statement() {
    take(Kind.NAME, "CALL");
    List<String> name = new ArrayList<>();
    name.add(take(Kind.NAME, "a catalog"));
    while (peek(".")) {
      at++;
      name.add(take(Kind.NAME, "a name"));
    }
    takeMark("(");
    List<CallStatement.Argument> arguments = new ArrayList<>();
    if (!peek(")")) {
      arguments.add(argument());
      while (peek(",")) {
        at++;
        arguments.add(argument());
      }
    }
    takeMark(")");
    if (peek(";")) {
      at++;
    }
    take(Kind.END, "the end");
    return new CallStatement(
        name.get(0),
        name.stream()
            .skip(1)
            .map(part -> part.toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(".")),
        arguments);
  }

  private CallStatement.Argument argument() {
    String name = null;
    if (tokens.get(at).kind() == Kind.NAME) {
      name = take(Kind.NAME, "a name").toLowerCase(Locale.ROOT);
      takeMark("=>");
    }
    return new CallStatement.Argument(name, take(Kind.VALUE, "text in quotes or a number"));
  }

  private boolean peek(String mark) {
    return tokens.get(at).kind() == Kind.MARK && tokens.get(at).text().equals(mark);
  }

  private void takeMark(String mark) {
    if (!peek(mark)) {
      throw unexpected("'" + mark + "'");
    }
    at++;
  }

  private String take(Kind kind, String what) {
    if (tokens.get(at).kind() != kind) {
      throw unexpected(what);
    }
    return tokens.get(at++).text();
  }

  private LakestreamException unexpected(String wanted) {
    Token found = tokens.get(at);
    return LakestreamException.of(
        ErrorCode.INVALID_OPTION,
        "CALL",
        "there is "
            + (found.kind() == Kind.END ? "the end" : "'" + found.text() + "'")
            + " where "
            + wanted
            + " should be, in: "
            + text.strip(),
        "Write CALL catalog.system.procedure(name => 'value').");
  }

  private static List<Token> tokens(String text) {
    List<Token> tokens = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(text);
    while (matcher.find()) {
      if (matcher.group("word") != null) {
        tokens.add(new Token(Kind.NAME, matcher.group("word")));
      } else if (matcher.group("quoted") != null) {
        tokens.add(new Token(Kind.NAME, matcher.group("quoted").replace("``", "`")));
      } else if (matcher.group("single") != null) {
        tokens.add(new Token(Kind.VALUE, unescape(matcher.group("single"), "''", "'")));
      } else if (matcher.group("double") != null) {
        tokens.add(new Token(Kind.VALUE, unescape(matcher.group("double"), "\"\"", "\"")));
      } else if (matcher.group("number") != null) {
        tokens.add(new Token(Kind.VALUE, matcher.group("number")));
      } else if (matcher.group("space") == null) {
        tokens.add(new Token(Kind.MARK, matcher.group()));
      }
    }
    tokens.add(new Token(Kind.END, ""));
    return tokens;
  }

  private static String unescape(String text, String doubled, String quote) {
    return text.replace(doubled, quote).replaceAll("\\\\(.)", "$1");
  }
}
