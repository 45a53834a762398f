package io.lakestream.spark.options;

import static io.lakestream.spark.options.Scope.CATALOG;
import static io.lakestream.spark.options.Scope.QUERY;
import static io.lakestream.spark.options.Scope.SESSION;
import static io.lakestream.spark.options.Scope.TABLE;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Every option, once. {@code docs/options.md} is generated from this list. Names follow Fluss,
 * Kafka, Hudi and Iceberg, so that their users find them.
 */
public final class LakestreamOptions {
  private LakestreamOptions() {}

  /** The prefix of session settings. */
  public static final String SESSION_PREFIX = "spark.sql.lakestream.";

  /** The prefix of table properties, also accepted before query options. */
  public static final String TABLE_PREFIX = "lakestream.";

  /** Options under this prefix go to the Fluss client. */
  public static final String CLIENT_PREFIX = "client.";

  /** All prefixes that mean {@link #CLIENT_PREFIX}, the weakest first. */
  public static final List<String> CLIENT_PREFIXES =
      List.of("fluss.option." + CLIENT_PREFIX, "fluss." + CLIENT_PREFIX, CLIENT_PREFIX);

  /** Options under this prefix say where and how the Hudi table is kept. */
  public static final String HUDI_PREFIX = "hudi.";

  /** Options under this prefix go to the Hadoop configuration. */
  public static final String HADOOP_PREFIX = "hadoop.";

  private static final Set<Scope> QUERY_ONLY = EnumSet.of(QUERY);

  /** Where whoever connects gives options. */
  static final Set<Scope> CONNECTION = EnumSet.of(QUERY, CATALOG);

  private static final Set<Scope> TUNING = EnumSet.of(QUERY, SESSION, CATALOG, TABLE);

  public static final Option<String> BOOTSTRAP_SERVERS =
      new Option<>(
          "bootstrap.servers",
          List.of("fluss.bootstrap.servers"),
          ValueType.text("`host:port`, several separated by commas"),
          null,
          CONNECTION,
          "Address of the Fluss cluster. Required.");

  public static final Option<String> TABLE_NAME =
      new Option<>(
          "table",
          List.of("path"),
          ValueType.text("`database.table`"),
          null,
          QUERY_ONLY,
          "The table for `format(\"lakestream\")`; the argument of `load` means the same.");

  public static final Option<Duration> REQUEST_TIMEOUT =
      new Option<>(
          "request.timeout",
          List.of(),
          ValueType.duration(Duration.ofMillis(100)),
          "10s",
          CONNECTION,
          "How long a metadata request to the cluster may take before the query fails.");

  public static final Option<ReadMode> READ_MODE =
      new Option<>(
          "union.read.mode",
          List.of("fluss.union_read.mode"),
          ValueType.choice(ReadMode.class),
          "auto",
          EnumSet.of(QUERY, SESSION, CATALOG),
          "`auto` reads lake and log, and the log alone while nothing was ever tiered; `required`"
              + " fails in that case; `lake` reads the lake alone.");

  public static final Option<String> SNAPSHOT_PIN =
      new Option<>(
          "snapshot.pin",
          List.of(),
          ValueType.text("the JSON of a snapshot, or the path of a file that holds it"),
          null,
          QUERY_ONLY,
          "Reads exactly the rows of an earlier union snapshot, or fails when they are gone.");

  public static final Option<String> AS_OF_INSTANT =
      new Option<>(
          "as.of.instant",
          List.of("hoodie.datasource.read.as.of.instant"),
          ValueType.text(
              "an instant of 17 or 14 digits, or a timestamp or date, in the session's time zone"
                  + " if it names none"),
          null,
          QUERY_ONLY,
          "Reads the lake alone, as of the newest instant not after this point, or fails when its"
              + " files are gone. The same as `VERSION AS OF` and `TIMESTAMP AS OF`.");

  public static final Option<Boolean> FAIL_ON_DATA_LOSS =
      new Option<>(
          "failOnDataLoss",
          List.of(),
          ValueType.bool(),
          "true",
          TUNING,
          "With `false`, a read of a log table skips and counts rows that the log lost before they"
              + " were tiered. Primary-key tables always fail.");

  public static final Option<Long> TAIL_MAX_ROWS =
      new Option<>(
          "tail.max.rows",
          List.of("fluss.union_read.max_tail_rows"),
          ValueType.number(1, Integer.MAX_VALUE),
          "2000000",
          TUNING,
          "The most untiered changes of one bucket of a primary-key table that a task holds in"
              + " memory; a larger tail goes to the executor's local disk.");

  public static final Option<Long> TAIL_MEMORY =
      new Option<>(
          "tail.memory",
          List.of(),
          ValueType.bytes(1 << 12),
          "256m",
          TUNING,
          "The bytes of untiered changes, or of their keys, that a task of a primary-key table holds"
              + " in memory; a larger tail goes to the executor's local disk.");

  public static final Option<Long> SPLIT_SIZE =
      new Option<>(
          "split-size",
          List.of("read.split.target-size"),
          ValueType.bytes(1 << 16),
          "128m",
          TUNING,
          "The bytes of wanted columns that one task reads from the lake.");

  public static final Option<Long> FILE_OPEN_COST =
      new Option<>(
          "file-open-cost",
          List.of(),
          ValueType.bytes(0),
          "4m",
          TUNING,
          "The bytes that opening a file is counted as, when small files are packed into a task.");

  public static final Option<Long> MAX_RECORDS_PER_PARTITION =
      new Option<>(
          "maxRecordsPerPartition",
          List.of("scan.maxRecordsPerPartition"),
          ValueType.number(1, Long.MAX_VALUE),
          "1000000",
          TUNING,
          "The offsets of one log-table bucket that one task reads from the log.");

  public static final Option<Long> BATCH_SIZE =
      new Option<>(
          "batch-size",
          List.of(),
          ValueType.number(1, 1 << 16),
          "4096",
          TUNING,
          "The most rows of a batch that is built from log records.");

  public static final Option<Duration> POLL_TIMEOUT =
      new Option<>(
          "scan.poll.timeout",
          List.of(),
          ValueType.duration(Duration.ofMillis(1)),
          "1s",
          CONNECTION,
          "How long one poll of the log waits. An empty poll is normal.");

  public static final Option<Duration> IDLE_TIMEOUT =
      new Option<>(
          "scan.idle.timeout",
          List.of(),
          ValueType.duration(Duration.ofMillis(100)),
          "2min",
          CONNECTION,
          "How long a range of the log may make no progress before the task fails.");

  public static final Option<Boolean> ALLOW_SPECULATION =
      new Option<>(
          "write.allow-speculation",
          List.of(),
          ValueType.bool(),
          "false",
          TUNING,
          "Lets a job with `spark.speculation=true` append to a log table, although a losing"
              + " attempt may have appended its rows already.");

  public static final Option<Long> ROUND_OFFSETS =
      new Option<>(
          "tiering.max-offsets-per-bucket",
          List.of(),
          ValueType.number(1, 1_000_000_000_000L),
          "10000000",
          TUNING,
          "The most offsets of one bucket that one tiering round takes; the rest waits for the next"
              + " round.");

  public static final Option<Long> TASK_OFFSETS =
      new Option<>(
          "tiering.max-offsets-per-task",
          List.of(),
          ValueType.number(1, 1_000_000_000_000L),
          "1000000",
          TUNING,
          "The most offsets of one log-table bucket that one task of a tiering round takes; a longer"
              + " range is written by several tasks, each into a file group of its own, and so is one"
              + " of 100000 offsets or more per task while cores would be idle.");

  public static final Option<Long> FOLD_MEMORY =
      new Option<>(
          "tiering.fold.memory",
          List.of(),
          ValueType.bytes(1 << 20),
          "256m",
          TUNING,
          "The bytes of changed rows that a tiering task of a primary-key table holds in memory"
              + " before it goes on on local disk.");

  public static final Option<Duration> FRESHNESS =
      new Option<>(
          "tiering.freshness",
          List.of(),
          ValueType.duration(Duration.ofMillis(100)),
          "3min",
          EnumSet.of(SESSION, CATALOG, TABLE),
          "How often a tiering service begins a round of the table.");

  public static final Option<Long> COMPACTION_ROUNDS =
      new Option<>(
          "tiering.compaction.rounds",
          List.of(),
          ValueType.number(0, 10_000),
          "5",
          EnumSet.of(SESSION, CATALOG, TABLE),
          "After how many rounds a tiering service compacts the lake of a primary-key table; with"
              + " `0` it never does.");

  public static final Option<Long> CLUSTERING_ROUNDS =
      new Option<>(
          "tiering.clustering.rounds",
          List.of(),
          ValueType.number(0, 10_000),
          "20",
          EnumSet.of(SESSION, CATALOG, TABLE),
          "After how many rounds a tiering service merges small files in the lake of a log table;"
              + " with `0` it never does.");

  public static final Option<Long> CLUSTERING_FILE_SIZE =
      new Option<>(
          "tiering.clustering.file-size",
          List.of(),
          ValueType.bytes(1 << 20),
          "128m",
          EnumSet.of(SESSION, CATALOG, TABLE),
          "The size up to which small files in the lake of a log table are merged.");

  public static final Option<Long> CLEANING_ROUNDS =
      new Option<>(
          "tiering.cleaning.rounds",
          List.of(),
          ValueType.number(0, 10_000),
          "20",
          EnumSet.of(SESSION, CATALOG, TABLE),
          "After how many instants a tiering service cleans a lake; with `0` it never does.");

  public static final Option<Duration> RETENTION =
      new Option<>(
          "tiering.retention",
          List.of(),
          ValueType.duration(Duration.ofHours(1)),
          "24h",
          EnumSet.of(SESSION, CATALOG, TABLE),
          "How long an instant of a lake can still be read after a newer one took its place. Rounded"
              + " up to whole hours, not less than `tiering.longest-job`.");

  public static final Option<Duration> LONGEST_JOB =
      new Option<>(
          "tiering.longest-job",
          List.of(),
          ValueType.duration(Duration.ZERO),
          "12h",
          EnumSet.of(SESSION, CATALOG, TABLE),
          "How long the longest job runs that reads the table; its files are not cleaned under it.");

  public static final Option<Duration> HEARTBEAT_TIMEOUT =
      new Option<>(
          "tiering.heartbeat.timeout",
          List.of(),
          ValueType.duration(Duration.ofSeconds(3)),
          "1min",
          EnumSet.of(SESSION, CATALOG),
          "How long the writer of a pending lake instant may be silent before a tiering round takes"
              + " it for dead and removes what it left. The same for all writers of a table.");

  public static final Option<String> LAKE_FORMAT =
      new Option<>(
          "lake",
          List.of(),
          ValueType.text("`hudi`"),
          null,
          EnumSet.of(TABLE),
          "The table's lake format, as the catalog writes it at `CREATE TABLE`.");

  public static final Option<String> HUDI_PATH =
      new Option<>(
          "hudi.path",
          List.of("datalake.hudi.path", "fluss.lake.hudi.path"),
          ValueType.text("the folder of the Hudi table"),
          null,
          EnumSet.of(QUERY, TABLE),
          "Where the table's lake is. Wins over every other way to find it.");

  public static final Option<String> HUDI_CATALOG_PATH =
      new Option<>(
          "hudi.catalog.path",
          List.of("datalake.hudi.catalog.path", "fluss.lake.hudi.catalog.path"),
          ValueType.text("a folder"),
          null,
          EnumSet.of(QUERY, CATALOG),
          "The folder under which lakes are found as `<folder>/<database>/<table>`.");

  public static final Option<String> HUDI_ALLOWED_PATHS =
      new Option<>(
          "hudi.allowed.paths",
          List.of(),
          ValueType.text("folders, separated by commas"),
          null,
          CONNECTION,
          "The folders under which a lake may be whose place a table property gives. Without it any"
              + " folder will do; set it where tables are made by others than those who run the job,"
              + " above all for a tiering service.");

  /** The options that count when the tiers are connected, and not after. */
  public static List<Option<?>> connection() {
    return List.of(BOOTSTRAP_SERVERS, REQUEST_TIMEOUT, POLL_TIMEOUT, IDLE_TIMEOUT);
  }

  /** All options, in the order of the documentation. */
  public static List<Option<?>> all() {
    return List.of(
        BOOTSTRAP_SERVERS,
        TABLE_NAME,
        REQUEST_TIMEOUT,
        READ_MODE,
        SNAPSHOT_PIN,
        AS_OF_INSTANT,
        FAIL_ON_DATA_LOSS,
        TAIL_MAX_ROWS,
        TAIL_MEMORY,
        SPLIT_SIZE,
        FILE_OPEN_COST,
        MAX_RECORDS_PER_PARTITION,
        BATCH_SIZE,
        POLL_TIMEOUT,
        IDLE_TIMEOUT,
        ALLOW_SPECULATION,
        ROUND_OFFSETS,
        TASK_OFFSETS,
        FOLD_MEMORY,
        FRESHNESS,
        COMPACTION_ROUNDS,
        CLUSTERING_ROUNDS,
        CLUSTERING_FILE_SIZE,
        CLEANING_ROUNDS,
        RETENTION,
        LONGEST_JOB,
        HEARTBEAT_TIMEOUT,
        LAKE_FORMAT,
        HUDI_PATH,
        HUDI_CATALOG_PATH,
        HUDI_ALLOWED_PATHS);
  }
}
