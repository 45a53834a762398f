package io.lakestream.spark.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.types.TablePath;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LakePathsTest {
  private static final TablePath TABLE = new TablePath("db", "t");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/lake/db/t",
        "file:/lake/db/t",
        "file:///lake/db/t",
        "hdfs://name-node:8020/lake/t",
        "s3a://bucket/t",
        "abfs://container@account.dfs.core.windows.net/lake/t",
        "/lake/..hidden/t...",
        "/lake/größe/a b"
      })
  void legal(String path) {
    assertThat(LakePaths.requireLegal(TABLE, path)).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lake/t | is not absolute",
        "t | is not absolute",
        "/ | is the root of a file system",
        "file:/// | is the root of a file system",
        "/lake/../other/t | has steps ('.' or '..')",
        "/lake/db/.. | has steps ('.' or '..')",
        "s3a://bucket/./t | has steps ('.' or '..')",
        "/lake/db/t/.hoodie/metadata | is inside the metadata of a Hudi table",
        "file:relative | is not a path"
      })
  void illegal(String path, String problem) {
    assertThatThrownBy(() -> LakePaths.requireLegal(TABLE, path))
        .hasMessage(
            "[LAKESTREAM_INVALID_OPTION] db.t: the lake path '"
                + path
                + "' "
                + problem
                + ". Give the absolute path of a folder, for example s3a://bucket/lake/db/table.");
  }

  @ParameterizedTest
  @ValueSource(strings = {" /lake/t", "/lake/t ", "/lake/t\n", "/lake/a\tb"})
  void blanksAndControlCharacters(String path) {
    assertThatThrownBy(() -> LakePaths.requireLegal(TABLE, path))
        .hasMessageContaining("has blanks at its ends or control characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3a://key:hush@bucket/t", "s3a://key:hush/hush@bucket/t"})
  void aPasswordIsRefusedAndNotRepeated(String path) {
    assertThatThrownBy(() -> LakePaths.requireLegal(TABLE, path))
        .hasMessage(
            "[LAKESTREAM_INVALID_OPTION] db.t: the lake path holds a user's password, which plans"
                + " and messages would show. Give credentials as 'hadoop.*' options.")
        .hasNoCause();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/lake/db/t | /lake",
        "/lake/db/t | /other, /lake/",
        "file:///lake/t | file:/lake",
        "/lake/t | /",
      })
  void insideAnAllowedFolder(String path, String allowed) {
    LakePaths.requireAllowed(TABLE, path, Optional.of(allowed), Optional.empty());
    LakePaths.requireAllowed(TABLE, path, Optional.empty(), Optional.empty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/lakes/t | /lake",
        "/lake | /lake",
        "s3a://b/lake/t | /lake",
        "s3a://b/lake/t | s3a://c/lake",
        "/lake/t | ,",
      })
  void outsideTheAllowedFolders(String path, String allowed) {
    assertThatThrownBy(
            () -> LakePaths.requireAllowed(TABLE, path, Optional.of(allowed), Optional.empty()))
        .hasMessage(
            "[LAKESTREAM_INVALID_OPTION] db.t: the table's properties place its lake at '"
                + path
                + "', which is in none of the folders that 'hudi.allowed.paths' names: "
                + allowed
                + ". Move the lake, or add its folder to 'hudi.allowed.paths' of the catalog.");
  }

  @Test
  void theCatalogsOwnFolderIsAllowed() {
    LakePaths.requireAllowed(TABLE, "/own/db/t", Optional.of("/lake"), Optional.of("/own"));
  }
}
