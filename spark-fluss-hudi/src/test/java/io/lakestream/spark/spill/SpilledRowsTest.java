package io.lakestream.spark.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.security.CryptoStreamUtils;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;

/** Rows on local disk: their order, their encryption, and what is left of them. */
class SpilledRowsTest {
  private static final String SECRET = "a value that nobody else shall see";

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void areReadInTheirOrderAndEncryptedIfSparkIsToldTo(boolean encrypted) throws IOException {
    try (SpilledRows rows = new SpilledRows(space(encrypted), 2, 2)) {
      for (int offset = 0; offset < 100; offset++) {
        rows.write(1, row(SECRET + offset), offset, 5L + offset);
      }
      List<String> read = new ArrayList<>();
      rows.read(0, 1, (row, marks) -> read.add("part 0 was never written"));
      assertThat(read).isEmpty();
      for (int time = 0; time < 2; time++) {
        read.clear();
        // Written files are complete only when they are read, so look at the first read.
        rows.read(
            1,
            1,
            (row, marks) -> {
              if (read.isEmpty()) {
                assertThat(textOf(onlyFile()).contains(SECRET)).isEqualTo(!encrypted);
              }
              read.add(row.getUTF8String(0) + " " + marks[0] + " " + marks[1]);
            });
        assertThat(read).hasSize(100).startsWith(SECRET + "0 0 5", SECRET + "1 1 6");
        assertThat(read.get(99)).isEqualTo(SECRET + "99 99 104");
      }
    }
    assertNothingLeft();
  }

  @Test
  void areDeletedAlsoIfAFileDoesNotClose() throws IOException {
    SerializerManager failing =
        new SerializerManager(new JavaSerializer(new SparkConf(false)), new SparkConf(false)) {
          @Override
          public java.io.OutputStream wrapForEncryption(java.io.OutputStream file) {
            return new java.io.FilterOutputStream(file) {
              @Override
              public void close() throws IOException {
                super.close();
                throw new IOException("no space left on device");
              }
            };
          }
        };
    SpilledRows rows = new SpilledRows(new SpillSpace(directory, failing), 3, 0);
    rows.write(0, row("a"));
    rows.write(2, row("b"));
    assertThatThrownBy(rows::close)
        .isInstanceOf(IOException.class)
        .hasMessage("no space left on device")
        .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
    assertNothingLeft();
  }

  private SpillSpace space(boolean encrypted) {
    SparkConf conf = new SparkConf(false).set("spark.io.encryption.enabled", "true");
    Option<byte[]> key =
        encrypted ? Option.apply(CryptoStreamUtils.createKey(conf)) : Option.empty();
    return new SpillSpace(directory, new SerializerManager(new JavaSerializer(conf), conf, key));
  }

  private Path onlyFile() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> found = files.filter(Files::isRegularFile).toList();
      assertThat(found).hasSize(1);
      return found.get(0);
    }
  }

  private static String textOf(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }

  private void assertNothingLeft() throws IOException {
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  private static UnsafeRow row(String value) {
    return UnsafeProjection.create(new DataType[] {DataTypes.StringType})
        .apply(new GenericInternalRow(new Object[] {UTF8String.fromString(value)}))
        .copy();
  }
}
