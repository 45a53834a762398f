package io.lakestream.spark.it.hostile;

import static io.lakestream.spark.it.harness.Change.put;
import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.it.harness.Change;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Files of a lake that are damaged, or that are gone when they are read: a coded error that names
 * table and file, never fewer rows.
 */
class DamagedLakeTest extends IntegrationTest {
  private static final int ROWS = 50;

  /** What can happen to a file. */
  enum Damage {
    EMPTIED {
      @Override
      byte[] of(byte[] content) {
        return new byte[0];
      }
    },
    CUT {
      @Override
      byte[] of(byte[] content) {
        return Arrays.copyOf(content, content.length / 2);
      }
    },
    OVERWRITTEN {
      @Override
      byte[] of(byte[] content) {
        byte[] damaged = new byte[content.length];
        Arrays.fill(damaged, (byte) 7);
        return damaged;
      }
    };

    abstract byte[] of(byte[] content);
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void baseFile(Damage damage) throws Exception {
    TestTable log = create("log", TableSpec.log("id INT, s STRING"));
    log.apply(rows(0));
    log.tier();
    log.apply(rows(ROWS));
    damage(newest(log, name -> name.endsWith(".parquet")), damage);

    assertUnreadable(log, ".parquet");
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void baseFileUnderChanges(Damage damage) throws Exception {
    TestTable keyed = keyedTable();
    keyed.compact();
    keyed.apply(rows(ROWS / 2));
    damage(newest(keyed, name -> name.endsWith(".parquet")), damage);

    assertUnreadable(keyed, ".parquet");
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void logFile(Damage damage) throws Exception {
    TestTable keyed = keyedTable();
    keyed.apply(rows(ROWS / 2));
    keyed.tier();
    keyed.apply(rows(ROWS));
    damage(newest(keyed, name -> name.contains(".log.")), damage);

    assertUnreadable(keyed, ".log.");
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void completedInstant(Damage damage) throws Exception {
    TestTable log = create("log", TableSpec.log("id INT, s STRING"));
    log.apply(rows(0));
    log.tier();
    log.apply(rows(ROWS));
    damage(newest(log, name -> name.matches("\\d+_\\d+\\.commit")), damage);

    assertCoded(
        ErrorCode.LAKE_UNREADABLE, log, () -> log.query(EntryPoint.CATALOG, "SELECT * FROM {t}"));
    assertThatThrownBy(log::tier)
        .isInstanceOf(LakestreamException.class)
        .hasMessageContaining(log.path());
    assertThat(log.timelineFiles()).filteredOn(name -> name.endsWith(".commit")).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void tableProperties(Damage damage) throws Exception {
    TestTable log = create("log", TableSpec.log("id INT, s STRING"));
    log.apply(rows(0));
    log.tier();
    for (String name : List.of("hoodie.properties", "hoodie.properties.backup")) {
      Path file = log.lakeDirectory().resolve(".hoodie").resolve(name);
      if (Files.exists(file)) {
        damage(file, damage);
      }
    }

    assertThatThrownBy(() -> log.query(EntryPoint.CATALOG, "SELECT * FROM {t}"))
        .isInstanceOf(LakestreamException.class)
        .hasMessageContaining(log.path())
        .hasMessageContaining(log.lakeDirectory().toString());
    assertThatThrownBy(log::tier)
        .isInstanceOf(LakestreamException.class)
        .hasMessageContaining(log.path());
  }

  @Test
  void filesThatWereCleanedAfterThePlanning() throws Exception {
    TestTable keyed = keyedTable();
    keyed.compact();
    keyed.apply(rows(ROWS / 2));
    keyed.tier();
    Dataset<Row> base = planned(keyed);
    Files.delete(newest(keyed, name -> name.endsWith(".parquet")));
    assertCoded(ErrorCode.LAKE_SNAPSHOT_GONE, keyed, base::collectAsList);

    TestTable logs = keyedTable();
    logs.apply(rows(ROWS / 2));
    logs.tier();
    Dataset<Row> changes = planned(logs);
    Files.delete(newest(logs, name -> name.contains(".log.")));
    assertCoded(ErrorCode.LAKE_SNAPSHOT_GONE, logs, changes::collectAsList);
  }

  private Dataset<Row> planned(TestTable table) {
    Dataset<Row> query = table.dataset(EntryPoint.CATALOG, "SELECT * FROM {t}");
    assertThat(query.queryExecution().toRdd().getNumPartitions()).isPositive();
    return query;
  }

  private TestTable keyedTable() {
    TestTable keyed = create("keyed", TableSpec.keyed("id INT, s STRING", "id"));
    keyed.apply(rows(0));
    keyed.tier();
    return keyed;
  }

  private static Change rows(int first) {
    return put(
        IntStream.range(first, first + ROWS)
            .mapToObj(id -> row(id, "text " + id))
            .toArray(Row[]::new));
  }

  private static void assertUnreadable(TestTable table, String file) {
    for (String query :
        List.of("SELECT * FROM {t}", "SELECT count(*) FROM {t}", "SELECT s FROM {t} LIMIT 1000")) {
      assertCoded(ErrorCode.LAKE_UNREADABLE, table, () -> table.query(EntryPoint.CATALOG, query))
          .hasMessageContaining(file);
    }
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertCoded(
      ErrorCode code, TestTable table, ThrowingCallable call) {
    return Coded.assertError(call)
        .hasMessageContaining("[" + code.code() + "] " + table.path())
        .hasMessageContaining(table.lakeDirectory().toString());
  }

  /** The checksums of the local file system go, so that not they tell of the damage. */
  private static void damage(Path file, Damage damage) throws IOException {
    Files.write(file, damage.of(Files.readAllBytes(file)));
    Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
  }

  private static Path newest(TestTable table, Predicate<String> name) throws IOException {
    try (Stream<Path> files = Files.walk(table.lakeDirectory())) {
      return files
          .filter(file -> !file.toString().contains("/.hoodie/metadata/"))
          .filter(file -> !file.getFileName().toString().endsWith(".crc"))
          .filter(file -> name.test(file.getFileName().toString()))
          .max(Comparator.comparing(file -> file.getFileName().toString()))
          .orElseThrow();
    }
  }
}
