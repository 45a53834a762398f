package io.lakestream.spark.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.catalog.TieringArguments.Mode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TieringArgumentsTest {

  @Test
  void modesAndNames() {
    assertThat(TieringArguments.parse("lake.db.t", "lake.db"))
        .isEqualTo(new TieringArguments(Mode.TIER, 2, List.of("lake.db.t", "lake.db")));
    assertThat(TieringArguments.parse("--serve", "--parallelism", "7", "lake.db"))
        .isEqualTo(new TieringArguments(Mode.SERVE, 7, List.of("lake.db")));
    assertThat(TieringArguments.parse("--compact", "lake.db.t").mode())
        .isEqualTo(Mode.TIER_AND_COMPACT);
    assertThat(TieringArguments.parse("lake.db.t", "--status").mode()).isEqualTo(Mode.STATUS);
  }

  @ParameterizedTest
  @CsvSource({
    "--serve, no table is named",
    "nothing, 'nothing' is not catalog.database[.table]",
    "a.b.c.d, 'a.b.c.d' is not catalog.database[.table]",
    "--sevre lake.db, '--sevre' is not catalog.database[.table]",
    "--serve --status lake.db, 'only one of --compact, --status and --serve can be given'",
    "--parallelism 0 lake.db, '--parallelism is 0, not 1 to 256'",
    "--parallelism two lake.db, '--parallelism is ''two'', not a number'",
    "lake.db --parallelism, '--parallelism is ''nothing'', not a number'"
  })
  void whatIsWrongIsTold(String arguments, String problem) {
    assertThatThrownBy(() -> TieringArguments.parse(arguments.split(" ")))
        .hasMessageContaining("tiering job: " + problem)
        .hasMessageContaining(TieringArguments.USAGE);
  }
}
