package io.lakestream.spark.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.extension.CallStatement.Argument;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CALL lake.system.tier(table => 'db.t')",
        "  call lake . System\n.TIER ( TABLE=>\"db.t\" ) ; ",
        "/* first; */ CALL -- it\n lake.`system`.tier(/* x */ table => 'db.t')",
        "CALL `lake`.system.tier(table => 'db.t');"
      })
  void spellings(String text) {
    assertThat(CallText.catalog(text)).contains("lake");
    assertThat(CallText.parse(text))
        .isEqualTo(
            new CallStatement("lake", "system.tier", List.of(new Argument("table", "db.t"))));
  }

  @Test
  void positionsQuotesAndNumbers() {
    assertThat(CallText.parse("CALL a.b.c('it''s', -5, x => 'a\\'b')").arguments())
        .containsExactly(
            new Argument(null, "it's"), new Argument(null, "-5"), new Argument("x", "a'b"));
    assertThat(CallText.parse("CALL a.b.c()").arguments()).isEmpty();
    assertThat(CallText.catalog("CALL `a``b`.c.d()")).contains("a`b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "CALL",
        "CALL show_commits(table => 'x')",
        "SELECT 'CALL lake.system.tier()'",
        "-- CALL lake.system.tier()\nSELECT 1",
        "CALLER lake.system.tier()",
        "EXPLAIN CALL lake.system.tier(table => 'db.t')"
      })
  void otherStatementsCallNoCatalog(String text) {
    assertThat(CallText.catalog(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CALL a.b.c|there is the end where '(' should be",
        "CALL a.b.c('x'|there is the end where ')' should be",
        "CALL a.b.c(table = 'x')|there is '=' where '=>' should be",
        "CALL a.b.c(table => x)|there is 'x' where text in quotes or a number should be",
        "CALL a.b.c() SELECT|there is 'SELECT' where the end should be",
        "CALL a.(1)|there is '(' where a name should be"
      })
  void whatIsWrongIsTold(String text, String problem) {
    assertThatThrownBy(() -> CallText.parse(text))
        .isInstanceOf(LakestreamException.class)
        .hasMessageContaining(problem);
  }
}
