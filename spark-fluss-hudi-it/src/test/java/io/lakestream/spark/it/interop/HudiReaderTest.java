package io.lakestream.spark.it.interop;

import static io.lakestream.spark.it.harness.Change.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.it.harness.Change;
import io.lakestream.spark.it.harness.EntryPoint;
import io.lakestream.spark.it.harness.IntegrationTest;
import io.lakestream.spark.it.harness.TableSpec;
import io.lakestream.spark.it.harness.TestTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Lakes that rounds wrote, read by Hudi's own Spark reader: the rows that it finds by predicates on
 * keys, bucket columns, partitions and other columns are those of the model and those that we find,
 * with and without its metadata table and its data skipping, after updates and deletes, compaction,
 * indexing and cleaning. Prefixes are left out: Hudi 1.1.1 skips files that have them
 * (apache/hudi#18791).
 */
class HudiReaderTest extends IntegrationTest {
  private static final String[] DAYS = {"2026-08-01", "2026-08-02"};
  private static final StructType COLUMNS =
      new StructType()
          .add("id", DataTypes.IntegerType)
          .add("k", DataTypes.StringType)
          .add("n", DataTypes.LongType)
          .add("s", DataTypes.StringType)
          .add("dt", DataTypes.StringType);

  /** {@code id} is hashed to a bucket; in the primary-key tables it is a part of the key only. */
  private static final List<String> PREDICATES =
      List.of(
          "true",
          "id = 7",
          "id in (1, 4, 9, 98)",
          "id = 5 and k = 'k1'",
          "n is null",
          "not (n = 30) and id between 3 and 8",
          "s is null or s between 'old 1' and 'old 19'",
          "dt = '2026-08-02' and id in (2, 3, 4)",
          "dt > '2026-08-01' or n is null");

  /** Metadata table, data skipping. */
  private static final boolean[][] SETTINGS = {{true, true}, {false, false}};

  private enum Kind {
    LOG(false, false),
    LOG_PARTITIONED(false, true),
    KEYED(true, false),
    KEYED_PARTITIONED(true, true);

    private final boolean keyed;
    private final boolean partitioned;

    Kind(boolean keyed, boolean partitioned) {
      this.keyed = keyed;
      this.partitioned = partitioned;
    }

    private TableSpec spec() {
      String columns = "id INT NOT NULL, k STRING NOT NULL, n BIGINT, s STRING, dt STRING NOT NULL";
      TableSpec spec;
      if (!keyed) {
        spec = TableSpec.log(columns);
      } else if (partitioned) {
        spec = TableSpec.keyed(columns, "id", "k", "dt");
      } else {
        spec = TableSpec.keyed(columns, "id", "k");
      }
      spec = spec.buckets(3, "id");
      return partitioned ? spec.partitionedBy("dt") : spec;
    }

    private List<Object> key(Row row) {
      return partitioned
          ? List.of(row.get(0), row.get(1), row.get(4))
          : List.of(row.get(0), row.get(1));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void hudiFindsWhatWeFind(Kind kind) throws Exception {
    TestTable table = create(kind.name().toLowerCase(Locale.ROOT), kind.spec());
    List<Row> old = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      Long n = i % 5 == 0 ? null : 10L * i;
      old.add(row(i / 2, "k" + i % 2, n, i % 7 == 0 ? null : "old " + i, DAYS[i % 3 % 2]));
    }
    List<Row> changed = new ArrayList<>();
    for (Row row : old.subList(4, 12)) {
      changed.add(row(row.get(0), row.get(1), row.get(2) == null ? 30L : null, "new", row.get(4)));
    }
    changed.add(row(20, "k2", 500L, "new", DAYS[0]));
    table.apply(Change.put(old));
    table.tierOnce();
    table.apply(Change.put(changed));
    if (!kind.keyed) {
      table.tierOnce();
      List<Row> rows = new ArrayList<>(old);
      rows.addAll(changed);
      LakeUpkeep.index(environment(), table);
      table.apply(Change.put(changed));
      table.tierOnce();
      rows.addAll(changed);
      assertAgreement(table, rows, "indexing and a round");
      return;
    }
    List<Row> deleted = List.of(old.get(0), old.get(5), old.get(23));
    table.apply(Change.delete(deleted));
    table.tierOnce();
    Map<List<Object>, Row> model = new LinkedHashMap<>();
    old.forEach(row -> model.put(kind.key(row), row));
    changed.forEach(row -> model.put(kind.key(row), row));
    deleted.forEach(row -> model.remove(kind.key(row)));
    assertAgreement(table, model.values(), "updates and deletes");

    table.compact();
    Row inserted = row(0, "k0", 7L, "new", old.get(0).get(4));
    table.apply(Change.put(inserted), Change.delete(old.get(7)));
    table.tierOnce();
    model.put(kind.key(inserted), inserted);
    model.remove(kind.key(old.get(7)));
    assertAgreement(table, model.values(), "a compaction and a round");

    LakeUpkeep.index(environment(), table);
    table.apply(Change.put(row(2, "k2", 100L, null, DAYS[1])));
    table.tierOnce();
    Row last = row(2, "k2", 100L, null, DAYS[1]);
    model.put(kind.key(last), last);
    table.compact();
    long files = dataFiles(table);
    LakeUpkeep.clean(environment(), table);
    assertThat(dataFiles(table)).isLessThan(files);
    assertAgreement(table, model.values(), "indexing, a compaction and a cleaning");
  }

  private void assertAgreement(TestTable table, Iterable<Row> model, String after)
      throws Exception {
    List<Row> rows = new ArrayList<>();
    model.forEach(rows::add);
    List<List<String>> expected = answers(environment().spark().createDataFrame(rows, COLUMNS));
    assertThat(answers(table.dataset(EntryPoint.LAKE_ONLY, "SELECT * FROM {t}")))
        .as("%s after %s, by us", table.path(), after)
        .isEqualTo(expected);
    // Hudi's reader changes this setting of the session.
    String vectorized = "spark.sql.parquet.enableVectorizedReader";
    withSettings(
        Map.of(vectorized, environment().spark().conf().get(vectorized)),
        () -> {
          for (boolean[] setting : SETTINGS) {
            Dataset<Row> read =
                environment()
                    .spark()
                    .read()
                    .format("hudi")
                    .option("hoodie.metadata.enable", setting[0])
                    .option("hoodie.enable.data.skipping", setting[1])
                    .load(table.lakeDirectory().toString())
                    .select("id", "k", "n", "s", "dt");
            assertThat(answers(read))
                .as(
                    "%s after %s, by Hudi, metadata table %s, data skipping %s",
                    table.path(), after, setting[0], setting[1])
                .isEqualTo(expected);
          }
        });
  }

  /** For each predicate the rows that it finds, as sorted text; by one job. */
  private static List<List<String>> answers(Dataset<Row> table) {
    Dataset<Row> all = null;
    for (int i = 0; i < PREDICATES.size(); i++) {
      Dataset<Row> found = table.where(PREDICATES.get(i)).withColumn("predicate", functions.lit(i));
      all = all == null ? found : all.unionAll(found);
    }
    List<List<String>> answers = new ArrayList<>();
    PREDICATES.forEach(predicate -> answers.add(new ArrayList<>(List.of(predicate))));
    all.collectAsList().stream()
        .map(row -> Map.entry(row.getInt(row.size() - 1), row.toString()))
        .sorted(Map.Entry.comparingByValue())
        .forEach(entry -> answers.get(entry.getKey()).add(entry.getValue()));
    return answers;
  }

  private static long dataFiles(TestTable table) {
    try (Stream<Path> files = Files.walk(table.lakeDirectory())) {
      return files
          .filter(file -> file.toString().endsWith(".parquet"))
          .filter(file -> !file.toString().contains(".hoodie"))
          .count();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
