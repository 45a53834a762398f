package io.lakestream.spark.tiering;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.spark.log.ChangeKind;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogTable;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.hudi.index.bucket.BucketIdentifier;
import org.apache.spark.sql.Row;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a lake table tells other engines of its buckets: that a key can be found by Hudi's hash, if
 * and only if it can. The proof is Hudi's own reader, which skips buckets when told of the index.
 */
class BucketIndexHudiTest extends HudiTieringTestBase {
  private static final int BUCKETS = 4;
  private static final int KEYS = 8;

  @ParameterizedTest
  @CsvSource({"false,false,false", "false,true,false", "true,false,false", "true,true,true"})
  void aBucketIndexIsToldOnlyOfWhatHudiCanFindByItsHash(
      boolean hudiHash, boolean primaryKey, boolean advertised) throws IOException {
    use(table(hudiHash, primaryKey));
    for (int id = 0; id < KEYS; id++) {
      int byHudi = BucketIdentifier.getBucketId(Integer.toString(id), List.of("id"), BUCKETS);
      int bucket = hudiHash ? byHudi : (byHudi + 1) % BUCKETS;
      cluster.append(
          new LogBucket(null, bucket), ChangeKind.INSERT, id, UTF8String.fromString("n" + id));
    }
    round();

    Map<String, String> told = told();
    assertThat(told.keySet().stream().filter(key -> key.contains("index")).sorted())
        .containsExactlyElementsOf(
            advertised
                ? List.of(
                    "hoodie.bucket.index.hash.field",
                    "hoodie.bucket.index.num.buckets",
                    "index.type")
                : List.of());
    assertThat(told)
        .containsEntry("fluss.bucket.keys", "id")
        .containsEntry("fluss.bucket-aware", "true");
    for (int id = 0; id < KEYS; id++) {
      assertThat(find(told, "id = " + id)).as("told %s", told).containsExactly("[" + id + "]");
    }
    assertThat(find(told, "id in (1, 2, 5)")).containsExactly("[1]", "[2]", "[5]");
    if (!hudiHash) {
      assertThat(find(bucketIndex(), "id = 1"))
          .as("a reader that trusts an index of Hudi's looks in the wrong bucket")
          .isEmpty();
    }
  }

  private static Map<String, String> bucketIndex() {
    return Map.of(
        "index.type", "BUCKET",
        "hoodie.bucket.index.hash.field", "id",
        "hoodie.bucket.index.num.buckets", Integer.toString(BUCKETS));
  }

  @Test
  void theRecordKeyOfALogTableNeedNotHoldItsBucketColumns() {
    use(TestTables.log(2));
    settings = new TieringSettings(settings.lakePath(), List.of("name"), RoundLimits.DEFAULT);
    cluster.append(new LogBucket(null, 1), ChangeKind.INSERT, 7, UTF8String.fromString("a"));
    assertThat(round().rows()).isEqualTo(1);
    assertThat(rows("id", "_hoodie_record_key")).containsExactly("[7,a]");
  }

  private static LogTable table(boolean hudiHash, boolean primaryKey) {
    LogTable table = primaryKey ? TestTables.primaryKey(BUCKETS) : TestTables.log(BUCKETS);
    return hudiHash ? TestTables.hashedByHudi(table) : table;
  }

  /** What Hudi's Flink catalog takes as the options of the table. */
  private Map<String, String> told() throws IOException {
    Properties properties = new Properties();
    try (Reader file =
        Files.newBufferedReader(directory.resolve("lake/.hoodie/.aux/table_option.properties"))) {
      properties.load(file);
    }
    Map<String, String> told = new HashMap<>();
    properties.stringPropertyNames().forEach(key -> told.put(key, properties.getProperty(key)));
    return told;
  }

  private List<String> find(Map<String, String> told, String predicate) {
    return spark
        .read()
        .format("hudi")
        .options(readOptions(told))
        .load(settings.lakePath())
        .where(predicate)
        .select("id")
        .collectAsList()
        .stream()
        .map(Row::toString)
        .sorted()
        .toList();
  }

  /** The same under the names of Hudi's Spark reader. */
  private static Map<String, String> readOptions(Map<String, String> told) {
    Map<String, String> options = new HashMap<>(told);
    options.remove("path");
    if (told.containsKey("index.type")) {
      options.put("hoodie.index.type", told.get("index.type"));
    }
    options.put("hoodie.enable.data.skipping", "true");
    options.put("hoodie.metadata.enable", "true");
    return options;
  }
}
