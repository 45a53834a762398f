package io.lakestream.spark.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/options.md} equal to the declared options. */
class OptionsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "options.md");

  private static String page() {
    StringBuilder page = new StringBuilder();
    page.append("# Options\n\n");
    page.append("<!-- Generated from the declared options; run the connector's tests with\n");
    page.append("     -Dlakestream.docs.update=true to write it anew. -->\n\n");
    page.append("The first place that gives an option wins: query option, session setting\n");
    page.append(
        "(`spark.sql.lakestream.<key>`), catalog setting (`spark.sql.catalog.<name>.<key>`),\n");
    page.append(
        "table property (`lakestream.<key>`), default. Unknown session settings and table\n");
    page.append(
        "properties under these prefixes are errors, and so are other keys that look like a\n");
    page.append("misspelt option. Query options may carry the prefix `lakestream.`, too.\n\n");
    page.append(
        "What is used to connect (`bootstrap.servers`, the time-outs, `client.*`, `hadoop.*`) is\n");
    page.append(
        "a query option of `format(\"lakestream\")` only; with a catalog it is a catalog setting.\n\n");
    page.append(
        "Keys that begin with `client.` go to the Fluss client, with `hadoop.` to the Hadoop\n");
    page.append("configuration of lake files.\n\n");
    page.append("| option | values | default | where | meaning |\n");
    page.append("|---|---|---|---|---|\n");
    for (Option<?> option : LakestreamOptions.all()) {
      String names =
          "`"
              + option.key()
              + "`"
              + option.aliases().stream()
                  .map(alias -> "<br>also `" + alias + "`")
                  .collect(Collectors.joining());
      String scopes =
          option.scopes().stream().sorted().map(Scope::label).collect(Collectors.joining(", "));
      page.append("| ")
          .append(names)
          .append(" | ")
          .append(option.range())
          .append(" | ")
          .append(option.defaultText() == null ? "none" : "`" + option.defaultText() + "`")
          .append(" | ")
          .append(scopes)
          .append(" | ")
          .append(option.doc())
          .append(" |\n");
    }
    return page.toString();
  }

  @Test
  void thePageSaysWhatIsDeclared() throws IOException {
    if (Boolean.getBoolean("lakestream.docs.update")) {
      Files.writeString(PAGE, page());
    }
    assertThat(Files.readString(PAGE))
        .as("docs/options.md; run with -Dlakestream.docs.update=true to write it anew")
        .isEqualTo(page());
  }
}
