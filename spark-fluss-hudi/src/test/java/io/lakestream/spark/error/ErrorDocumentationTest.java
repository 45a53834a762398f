package io.lakestream.spark.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Keeps docs/errors.md equal to the codes; {@code -Dlakestream.docs.update=true} rewrites it. */
class ErrorDocumentationTest {
  private static final Path PAGE = Path.of("..", "docs", "errors.md");

  @Test
  void documentsEveryCode() throws IOException {
    if (Boolean.getBoolean("lakestream.docs.update")) {
      Files.writeString(PAGE, page());
    }
    assertThat(PAGE)
        .as("run this test with -Dlakestream.docs.update=true to rewrite the page")
        .content()
        .isEqualTo(page());
  }

  private static String page() {
    String rows =
        Arrays.stream(ErrorCode.values())
            .map(code -> "| `" + code.code() + "` | " + code.summary() + " |")
            .collect(Collectors.joining("\n"));
    return """
        # Errors

        Every error that you can act on begins with a code in brackets, then names the table, the
        problem with the offending value, and what to do:

        ```
        [LAKESTREAM_INVALID_OPTION] shop.orders: there is no query option 'batch-sise'. Did you mean 'batch-size'?
        ```

        In Java and Scala it is an `io.lakestream.spark.error.LakestreamException`, possibly the cause
        of Spark's own exception; `code()` gives the code. Codes are stable: none is renamed or used for
        something else. Errors that Spark itself has a type for (a table or database that is not there
        or is there already) come as Spark's own when they concern a catalog statement.

        | Code | When |
        |---|---|
        %s

        This page is generated from the code; a test keeps it so.
        """
        .formatted(rows);
  }
}
