package io.lakestream.spark.hudi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.hudi.RecordKeys.Purpose;
import io.lakestream.spark.types.LogicalType;
import io.lakestream.spark.types.LogicalType.Kind;
import io.lakestream.spark.types.PartitionKey;
import io.lakestream.spark.types.TableColumn;
import io.lakestream.spark.types.TablePath;
import io.lakestream.spark.types.TableSchema;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordKeysTest {
  private static final TablePath TABLE = new TablePath("db", "t");
  private static final TableSchema SCHEMA =
      new TableSchema(
          List.of(
              new TableColumn("id", LogicalType.of(Kind.INTEGER), null),
              new TableColumn("name", LogicalType.of(Kind.STRING), null),
              new TableColumn("day", LogicalType.of(Kind.DATE), null),
              new TableColumn("ts", LogicalType.of(Kind.TIMESTAMP, 6), null),
              new TableColumn("amount", LogicalType.decimal(10, 2), null)));

  @Test
  void oneColumnIsBareAndSeveralAreNamed() {
    assertThat(key(List.of("id"), 0)).isEqualTo("7");
    assertThat(key(List.of("id"), 1)).isEqualTo("7");
    assertThat(key(List.of("id"), 2)).isEqualTo("id:7");
    assertThat(key(List.of("id", "name"), 0)).isEqualTo("id:7,name:a:b");
    assertThat(key(List.of("__bucket", "__offset"), 0)).isEqualTo("__bucket:3,__offset:44");
  }

  @Test
  void datesAreDaysAndDecimalsArePlain() {
    assertThat(key(List.of("day"), 0)).isEqualTo("20666");
    assertThat(key(List.of("amount"), 0)).isEqualTo("1234567.50");
  }

  @Test
  void nullAndEmptyHavePlaceholders() {
    GenericInternalRow row = row(UTF8String.EMPTY_UTF8, 0L);
    row.setNullAt(0);
    RecordKeys keys = new RecordKeys(TABLE, Purpose.LABEL, SCHEMA, List.of("id", "name"), 0);
    assertThat(keys.of(row)).isEqualTo("id:__null__,name:__empty__");
  }

  @Test
  void timestampsAreMillisecondsAndKeepWhatIsFiner() {
    RecordKeys keys = new RecordKeys(TABLE, Purpose.LABEL, SCHEMA, List.of("ts"), 0);
    assertThat(keys.of(row(null, 1_700_000_000_123_000L))).isEqualTo("1700000000123");
    assertThat(keys.of(row(null, 1_700_000_000_123_004L))).isEqualTo("1700000000123.004");
    assertThat(keys.of(row(null, -1L))).isEqualTo("-1.999");
  }

  @Test
  void partitionFoldersJoinTheValues() {
    PartitionPaths paths = PartitionPaths.asTiered(SCHEMA, List.of("day", "name", "ts"), false);
    assertThat(
            paths.format(
                new PartitionKey(
                    List.of(20_666, UTF8String.fromString("a"), 1_785_542_400_123_000L))))
        .isEqualTo("20666/a/2026-08-01-00-00-00_123");
    assertThat(PartitionPaths.asTiered(SCHEMA, List.of(), false).format(PartitionKey.NONE))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a,name:b", "a,b", ",", "__null__", "__empty__"})
  void textThatAnotherKeyCouldHaveIsRefused(String text) {
    RecordKeys keys = new RecordKeys(TABLE, Purpose.IDENTITY, SCHEMA, List.of("name", "id"), 0);
    assertThatThrownBy(() -> keys.of(row(UTF8String.fromString(text), 0L)))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_REFUSED))
        .hasMessageContaining("db.t: the key column name has the value '" + text + "'");
  }

  @Test
  void aDeleteOfARefusedKeyHitsNoOtherRow() {
    List<String> columns = List.of("name", "id");
    RecordKeys keys = new RecordKeys(TABLE, Purpose.IDENTITY, SCHEMA, columns, 0);
    assertThat(keys.ofDeleted(row(UTF8String.fromString("a,b"), 0L))).contains("name:a,b,id:7");
    assertThat(keys.ofDeleted(row(UTF8String.fromString("__null__"), 0L)))
        .contains("name:__null__,id:7");
    assertThat(keys.ofDeleted(row(UTF8String.EMPTY_UTF8, 0L))).contains("name:__empty__,id:7");
    InternalRow placeholder = row(UTF8String.fromString("__empty__"), 0L);
    assertThat(keys.ofDeleted(placeholder)).isEmpty();

    RecordKeys others = new RecordKeys(TABLE, Purpose.IDENTITY_OF_OTHERS, SCHEMA, columns, 0);
    assertThat(others.ofDeleted(row(UTF8String.fromString("a,b"), 0L))).contains("name:a,b,id:7");
    assertThatThrownBy(() -> others.ofDeleted(placeholder))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIERING_REFUSED))
        .hasMessageContaining("the key column name has the value '__empty__'");
  }

  @Test
  void keysThatAreNotRefusedDiffer() {
    long seed = Long.getLong("lakestream.seed", System.nanoTime());
    System.out.println("RecordKeysTest: -Dlakestream.seed=" + seed);
    Random random = new Random(seed);
    TableSchema schema =
        new TableSchema(
            List.of(
                new TableColumn("a", LogicalType.of(Kind.STRING), null),
                new TableColumn("b", LogicalType.of(Kind.STRING), null)));
    String[] pieces = {"a", "b", ":", ",", "a:", "b:", ",b:", "__null__", "__empty__", ""};
    for (int columns = 1; columns <= 2; columns++) {
      int count = columns;
      List<String> names = List.of("a", "b").subList(0, columns);
      RecordKeys keys = new RecordKeys(TABLE, Purpose.IDENTITY, schema, names, 0);
      Map<String, List<String>> owners = new HashMap<>();
      Map<String, Set<List<String>>> deleted = new HashMap<>();
      for (int i = 0; i < 5_000; i++) {
        List<String> values = List.of(text(random, pieces), text(random, pieces));
        InternalRow row =
            new GenericInternalRow(
                values.stream().map(UTF8String::fromString).toArray(Object[]::new));
        keys.ofDeleted(row)
            .ifPresent(
                key ->
                    deleted
                        .computeIfAbsent(key, ignored -> new HashSet<>())
                        .add(values.subList(0, count)));
        try {
          List<String> before = owners.put(keys.of(row), values.subList(0, columns));
          assertThat(before).isIn(null, values.subList(0, columns));
        } catch (LakestreamException refused) {
          assertThat(values.subList(0, columns))
              .anyMatch(value -> value.contains(",") || value.startsWith("__"));
        }
      }
      assertThat(owners).hasSizeGreaterThan(20);
      owners.forEach(
          (key, owner) ->
              assertThat(deleted.get(key)).as("deletes of %s", key).containsExactly(owner));
    }
  }

  private static String text(Random random, String[] pieces) {
    return pieces[random.nextInt(pieces.length)] + pieces[random.nextInt(pieces.length)];
  }

  private static String key(List<String> columns, int partitionColumns) {
    return new RecordKeys(TABLE, Purpose.LABEL, SCHEMA, columns, partitionColumns)
        .of(row(UTF8String.fromString("a:b"), 0L));
  }

  private static GenericInternalRow row(UTF8String name, long micros) {
    return new GenericInternalRow(
        new Object[] {
          7, name, 20_666, micros, Decimal.apply(new BigDecimal("1234567.50"), 10, 2), 3, 44L, 0L
        });
  }
}
