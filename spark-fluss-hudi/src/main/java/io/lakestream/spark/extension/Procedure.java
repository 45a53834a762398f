package io.lakestream.spark.extension;

import io.lakestream.spark.catalog.LakestreamTiering;
import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.tiering.BucketStatus;
import io.lakestream.spark.tiering.RoundResult;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The procedures of a lakestream catalog. Each has one argument, the table. */
enum Procedure {
  /** One tiering round. */
  TIER(
      "system.tier",
      new StructType()
          .add("instant", DataTypes.StringType)
          .add("rows", DataTypes.LongType, false)
          .add("deletes", DataTypes.LongType, false)
          .add("bytes", DataTypes.LongType, false)
          .add("waiting", DataTypes.LongType, false)
          .add("recovered_instant", DataTypes.StringType)) {
    @Override
    List<Row> run(SparkSession session, String catalog, String table) {
      RoundResult result = LakestreamTiering.tierOnce(session, catalog, table);
      return List.of(
          RowFactory.create(
              result.instant().orElse(null),
              result.rows(),
              result.deletes(),
              result.bytes(),
              result.waiting(),
              result.recoveredInstant().orElse(null)));
    }
  },

  /** The compaction of a primary-key table's lake. */
  COMPACT("system.compact", new StructType().add("instant", DataTypes.StringType)) {
    @Override
    List<Row> run(SparkSession session, String catalog, String table) {
      return List.of(
          RowFactory.create(LakestreamTiering.compact(session, catalog, table).orElse(null)));
    }
  },

  /** The merging of small files of a log table's lake. */
  CLUSTER("system.cluster", new StructType().add("instant", DataTypes.StringType)) {
    @Override
    List<Row> run(SparkSession session, String catalog, String table) {
      return List.of(
          RowFactory.create(LakestreamTiering.cluster(session, catalog, table).orElse(null)));
    }
  },

  /** The cleaning of a lake. */
  CLEAN("system.clean", new StructType().add("instant", DataTypes.StringType)) {
    @Override
    List<Row> run(SparkSession session, String catalog, String table) {
      return List.of(
          RowFactory.create(LakestreamTiering.clean(session, catalog, table).orElse(null)));
    }
  },

  /** How far each bucket is. */
  STATUS(
      "system.status",
      new StructType()
          .add("partition", DataTypes.StringType)
          .add("bucket", DataTypes.IntegerType, false)
          .add("log_start", DataTypes.LongType, false)
          .add("tiered_offset", DataTypes.LongType, false)
          .add("log_end", DataTypes.LongType, false)
          .add("lag", DataTypes.LongType, false)
          .add("oldest_untiered", DataTypes.TimestampType)
          .add("lag_ms", DataTypes.LongType)
          .add("headroom_ms", DataTypes.LongType)) {
    @Override
    List<Row> run(SparkSession session, String catalog, String table) {
      boolean java8 = session.sessionState().conf().datetimeJava8ApiEnabled();
      return LakestreamTiering.status(session, catalog, table).buckets().stream()
          .map(bucket -> row(bucket, java8))
          .toList();
    }

    private static Row row(BucketStatus bucket, boolean java8) {
      Instant oldest = bucket.oldestUntiered().orElse(null);
      return RowFactory.create(
          bucket.partition(),
          bucket.bucket().bucket(),
          bucket.logStart(),
          bucket.tieredOffset(),
          bucket.logEnd(),
          bucket.lag(),
          oldest == null || java8 ? oldest : Timestamp.from(oldest),
          millis(bucket.age()),
          millis(bucket.headroom()));
    }

    private static Long millis(Optional<Duration> duration) {
      return duration.map(Duration::toMillis).orElse(null);
    }
  };

  private static final String TABLE = "table";

  private final String qualifiedName;
  private final StructType columns;

  Procedure(String qualifiedName, StructType columns) {
    this.qualifiedName = qualifiedName;
    this.columns = columns;
  }

  /** The columns of its answer. */
  StructType columns() {
    return columns;
  }

  abstract List<Row> run(SparkSession session, String catalog, String table);

  /**
   * The procedure that a statement calls; its arguments are checked.
   *
   * @throws LakestreamException {@code INVALID_OPTION} for another name or other arguments
   */
  static Procedure of(CallStatement call) {
    Procedure procedure =
        Arrays.stream(values())
            .filter(candidate -> candidate.qualifiedName.equals(call.procedure()))
            .findFirst()
            .orElseThrow(
                () ->
                    LakestreamException.of(
                        ErrorCode.INVALID_OPTION,
                        call.name(),
                        "the catalog has no such procedure.",
                        "Call one of "
                            + Arrays.stream(values())
                                .map(known -> call.catalog() + "." + known.qualifiedName)
                                .collect(Collectors.joining(", "))
                            + "."));
    table(call);
    return procedure;
  }

  /** The table that a statement names, without the catalog. */
  static String table(CallStatement call) {
    boolean one =
        call.arguments().size() == 1
            && (call.arguments().get(0).name() == null
                || call.arguments().get(0).name().equals(TABLE));
    if (!one) {
      throw LakestreamException.of(
          ErrorCode.INVALID_OPTION,
          call.name(),
          "it takes one argument, 'table', but was given "
              + call.arguments().stream()
                  .map(argument -> argument.name() == null ? "a value" : argument.name())
                  .toList()
              + ".",
          "Write CALL " + call.name() + "(table => 'database.table').");
    }
    String table = call.arguments().get(0).value();
    String prefix = call.catalog() + ".";
    return table.startsWith(prefix) && table.indexOf('.', prefix.length()) > 0
        ? table.substring(prefix.length())
        : table;
  }
}
