package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.TableSchema;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys of types that Hudi cannot spell are refused before anything is written anywhere. */
class KeyTypesHudiTest extends HudiTieringTestBase {
  private static final LogicalType INT = LogicalType.of(Kind.INTEGER);

  static Stream<Arguments> keys() {
    List<LogicalType> types =
        List.of(
            LogicalType.of(Kind.BYTES),
            new LogicalType.Scalar(Kind.BINARY, 4, 0, true),
            new LogicalType.Array(INT, true),
            new LogicalType.Map(LogicalType.of(Kind.STRING).withNullable(false), INT, true),
            new LogicalType.Row(List.of(new LogicalType.Field("f", INT)), true));
    return types.stream()
        .flatMap(
            type ->
                Stream.of("primary-key", "bucket-key", "record-key")
                    .map(role -> Arguments.of(role, type)));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void areRefusedAndNothingIsWritten(String role, LogicalType type) {
    TableSchema schema = TestTables.columns("id", INT, "key", type);
    List<String> key = List.of("key");
    use(
        TestTables.table(
            "keys",
            schema,
            role.equals("primary-key") ? key : List.of(),
            List.of(),
            role.equals("record-key") ? List.of("id") : key,
            1));
    if (role.equals("record-key")) {
      settings = new TieringSettings(settings.lakePath(), key, RoundLimits.DEFAULT);
    }
    cluster.append(new LogBucket(null, 0), ChangeKind.INSERT, 1, null);
    assertThatThrownBy(this::round)
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_REFUSED))
        .hasMessageContaining("db.keys: the " + role + " column key has the type " + type + ".")
        .hasMessageContaining("Use a key of numbers, text, dates, times or booleans.");
    assertThat(cluster.operations).isEmpty();
    assertThat(cluster.snapshot).isNull();
    assertThat(directory.resolve("lake")).doesNotExist();
  }
}
