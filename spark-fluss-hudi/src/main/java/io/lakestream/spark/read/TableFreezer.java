package io.lakestream.spark.read;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.AsOf;
import io.lakestream.spark.lake.LakeTable;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.options.LakestreamOptions;
import io.lakestream.spark.options.ReadMode;
import io.lakestream.spark.snapshot.SnapshotRequest;
import io.lakestream.spark.snapshot.SnapshotResolver;
import io.lakestream.spark.snapshot.UnionSnapshot;
import io.lakestream.spark.types.TablePath;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.WeakHashMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.QueryPlanningTracker;
import scala.Option;

/**
 * Freezes tables, once per query: Spark builds a scan for each reference to a table, but has one
 * planning tracker per query and action, by which the scans find the table that the first of them
 * froze. Without a tracker each scan freezes its own. Thread-safe.
 */
final class TableFreezer {
  private static final Map<QueryPlanningTracker, Map<Key, FrozenTable>> QUERIES =
      new WeakHashMap<>();

  /** What two scans must have in common to share a snapshot. */
  private record Key(
      String cluster,
      long tableId,
      Optional<String> lakePath,
      SnapshotRequest request,
      Optional<String> pin,
      Optional<AsOf> asOf) {}

  private TableFreezer() {}

  static FrozenTable freeze(ReadContext context) {
    ReadMode mode = context.options().get(LakestreamOptions.READ_MODE);
    SnapshotRequest request =
        new SnapshotRequest(
            context.lakeOnly() || mode == ReadMode.LAKE,
            mode == ReadMode.REQUIRED,
            context.options().get(LakestreamOptions.FAIL_ON_DATA_LOSS));
    Optional<String> pin = context.options().find(LakestreamOptions.SNAPSHOT_PIN);
    Optional<AsOf> asOf = asOf(context);
    Key key =
        new Key(
            context.cluster().address(),
            context.table().tableId(),
            context.lakePath(),
            request,
            pin,
            asOf);
    Option<QueryPlanningTracker> tracker = QueryPlanningTracker.get();
    if (tracker.isEmpty()) {
      return freeze(context, key);
    }
    Map<Key, FrozenTable> query;
    synchronized (QUERIES) {
      query = QUERIES.computeIfAbsent(tracker.get(), ignored -> new HashMap<>());
    }
    synchronized (query) {
      FrozenTable frozen = query.get(key);
      if (frozen == null) {
        frozen = freeze(context, key);
        query.put(key, frozen);
      }
      return frozen;
    }
  }

  private static Optional<AsOf> asOf(ReadContext context) {
    TablePath table = context.table().path();
    Optional<String> point = context.options().find(LakestreamOptions.AS_OF_INSTANT);
    if (point.isPresent() && context.options().find(LakestreamOptions.SNAPSHOT_PIN).isPresent()) {
      throw LakestreamException.of(
          ErrorCode.INVALID_OPTION,
          table,
          "'as.of.instant' ('"
              + point.get()
              + "') and 'snapshot.pin' both say which snapshot is read.",
          "Give one of them.");
    }
    ZoneId zone = ZoneId.of(SparkSession.active().sessionState().conf().sessionLocalTimeZone());
    return point.map(text -> AsOfText.parse(table, text, zone));
  }

  private static FrozenTable freeze(ReadContext context, Key key) {
    LogTable table = context.cluster().table(context.table().path());
    if (table.tableId() != context.table().tableId()) {
      throw LakestreamException.of(
          ErrorCode.TABLE_REPLACED,
          table.path(),
          "the query knows the table id "
              + context.table().tableId()
              + ", but the table now has the id "
              + table.tableId()
              + ": it was dropped and created again.",
          "Load the table again (REFRESH TABLE, or a new DataFrame).");
    }
    SnapshotResolver resolver = new SnapshotResolver(context.cluster());
    if (key.asOf().isPresent()) {
      String lakePath =
          SnapshotResolver.requireLakePath(
              table, context.lakePath(), "'as.of.instant' reads the lake");
      LakeTable lake = open(context, table, lakePath);
      String instant = lake.instantAsOf(key.asOf().get());
      return frozen(context, table, UnionSnapshot.ofLake(table, lakePath, instant), lake);
    }
    UnionSnapshot snapshot =
        key.pin().isPresent()
            ? resolver.resolvePin(table, PinText.load(table.path(), key.pin().get()), key.request())
            : resolver.resolve(table, context.lakePath(), key.request());
    LakeTable lake =
        snapshot
            .lakeInstant()
            .map(instant -> open(context, table, snapshot.lakePath()))
            .orElse(null);
    return frozen(context, table, snapshot, lake);
  }

  private static LakeTable open(ReadContext context, LogTable table, String lakePath) {
    LakeTable lake =
        context
            .lakes()
            .open(
                table.path(), lakePath, table.schema(), table.partitionColumns(), table.buckets());
    OptionalLong owner = lake.ownerId();
    if (owner.isPresent() && owner.getAsLong() != table.tableId()) {
      throw LakestreamException.of(
          ErrorCode.LAKE_MISMATCH,
          table.path(),
          "the Hudi table at "
              + lakePath
              + " is the lake of the table id "
              + owner.getAsLong()
              + ", and this table has the id "
              + table.tableId()
              + ".",
          "Give the table a lake path of its own, or drop the old lake table.");
    }
    return lake;
  }

  private static FrozenTable frozen(
      ReadContext context, LogTable table, UnionSnapshot snapshot, LakeTable lake) {
    return new FrozenTable(snapshot, lake, context.cluster().readerFactory(table));
  }
}
