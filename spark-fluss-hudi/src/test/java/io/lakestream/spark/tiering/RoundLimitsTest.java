package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundLimitsTest {
  @ParameterizedTest
  @CsvSource({
    "0,1,1,bucketOffsets is 0",
    "1,-5,1,taskOffsets is -5",
    "1,1,-9223372036854775808,foldBytes is -9223372036854775808"
  })
  void areAtLeastOne(long bucketOffsets, long taskOffsets, long foldBytes, String problem) {
    assertThatThrownBy(() -> new RoundLimits(bucketOffsets, taskOffsets, foldBytes))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_OPTION))
        .hasMessageContaining("limits of a tiering round: " + problem + ".");
  }
}
