package io.lakestream.spark.fluss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoteFileSystemTest {
  private static final LogTable TABLE =
      new LogTable(
          new TablePath("db", "t"),
          1,
          1,
          new TableSchema(List.of()),
          List.of(),
          List.of(),
          List.of(),
          1,
          Map.of(),
          Map.of(),
          null);

  @ParameterizedTest
  @CsvSource({
    "s3://bucket/fluss, s3, fluss-fs-s3",
    "hdfs://name:8020/fluss, hdfs, fluss-fs-hdfs",
    "abfss://c@a.example/fluss, abfss, fluss-fs-azure",
    "tape://x/y, tape, fluss-fs-tape"
  })
  void namesTheSchemeAndTheJarThatIsMissing(String directory, String scheme, String jar) {
    assertThatThrownBy(() -> RemoteFileSystem.requirePlugIn(TABLE, directory))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_SYSTEM_MISSING))
        .hasMessage(
            "[LAKESTREAM_FILE_SYSTEM_MISSING] db.t: the cluster keeps older log segments at %s, and"
                + " no Fluss plug-in for the scheme %s is on the class path. Add the jar %s of the"
                + " Fluss version in use to the driver and the executors.",
            directory, scheme, jar);
  }

  @Test
  void theLocalFileSystemIsAlwaysThere() {
    assertThatCode(() -> RemoteFileSystem.requirePlugIn(TABLE, "file:///tmp/fluss"))
        .doesNotThrowAnyException();
    assertThatCode(() -> RemoteFileSystem.requirePlugIn(TABLE, "/tmp/fluss"))
        .doesNotThrowAnyException();
  }
}
