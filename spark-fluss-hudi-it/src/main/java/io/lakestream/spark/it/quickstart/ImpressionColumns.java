package io.lakestream.spark.it.quickstart;

import io.trino.tpch.LineItem;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The 300 columns of the impression log: 20 facts taken from TPC-H LINEITEM, and 280 features
 * computed from the row's identity the way a feature store would join them in. Every value is a
 * pure function of the line item, so that any part can be made again at any time.
 */
final class ImpressionColumns {
  static final List<ImpressionColumn> ALL = build();

  private static final long MICROS_PER_DAY = 86_400_000_000L;

  /** Every feature is missing on one row in this many. */
  private static final int MISSING_ONE_IN = 17;

  private ImpressionColumns() {}

  /** At most seven line items make an order, so the two numbers fit into one. */
  static long impressionId(LineItem item) {
    return item.getOrderKey() * 8 + item.getLineNumber();
  }

  private static List<ImpressionColumn> build() {
    List<ImpressionColumn> columns = new ArrayList<>(facts());
    features(columns, "count", 60, DataTypes.IntegerType, (item, h) -> (int) bounded(h, 1000));
    features(
        columns, "volume", 40, DataTypes.LongType, (item, h) -> item.getQuantity() * (h >>> 20));
    features(columns, "rate", 80, DataTypes.DoubleType, (item, h) -> (h >>> 11) * 0x1.0p-53);
    features(columns, "score", 20, DataTypes.FloatType, (item, h) -> (h >>> 40) * 0x1.0p-24f);
    features(
        columns,
        "tag",
        40,
        DataTypes.StringType,
        (item, h) -> item.getShipMode() + "/" + bounded(h, 50));
    features(
        columns,
        "spend",
        20,
        DataTypes.createDecimalType(12, 2),
        (item, h) -> cents(bounded(h, item.getExtendedPriceInCents())));
    features(
        columns,
        "day",
        10,
        DataTypes.DateType,
        (item, h) -> LocalDate.ofEpochDay(item.getShipDate() - bounded(h, 365)));
    features(
        columns,
        "seen",
        10,
        DataTypes.TimestampType,
        (item, h) -> instant(item.getShipDate(), bounded(h, MICROS_PER_DAY)));
    return List.copyOf(columns);
  }

  private static List<ImpressionColumn> facts() {
    return List.of(
        fact("impression_id", DataTypes.LongType, ImpressionColumns::impressionId),
        fact("event_time", DataTypes.TimestampType, ImpressionColumns::eventTime),
        fact(
            "local_time",
            DataTypes.TimestampNTZType,
            item -> LocalDateTime.ofInstant(eventTime(item), ZoneOffset.ofHours(1))),
        fact("event_date", DataTypes.DateType, item -> LocalDate.ofEpochDay(item.getShipDate())),
        fact("session_id", DataTypes.LongType, LineItem::getOrderKey),
        fact("item_id", DataTypes.LongType, LineItem::getPartKey),
        fact("advertiser_id", DataTypes.LongType, LineItem::getSupplierKey),
        fact("position", DataTypes.IntegerType, LineItem::getLineNumber),
        fact("views", DataTypes.LongType, LineItem::getQuantity),
        fact(
            "price",
            DataTypes.createDecimalType(12, 2),
            item -> cents(item.getExtendedPriceInCents())),
        fact("revenue", DataTypes.createDecimalType(14, 4), ImpressionColumns::revenue),
        fact("discount", DataTypes.DoubleType, LineItem::getDiscount),
        fact("tax", DataTypes.DoubleType, LineItem::getTax),
        fact("outcome", DataTypes.StringType, LineItem::getReturnFlag),
        fact("status", DataTypes.StringType, LineItem::getStatus),
        fact("clicked", DataTypes.BooleanType, item -> item.getReturnFlag().equals("R")),
        fact("click_date", DataTypes.DateType, item -> LocalDate.ofEpochDay(item.getCommitDate())),
        fact("placement", DataTypes.StringType, LineItem::getShipInstructions),
        fact("channel", DataTypes.StringType, LineItem::getShipMode),
        fact("search_text", DataTypes.StringType, LineItem::getComment));
  }

  private static ImpressionColumn fact(String name, DataType type, ImpressionColumn.Value value) {
    return new ImpressionColumn(name, type, value);
  }

  /** Computes a feature from the line item and a hash of the row and the feature. */
  @FunctionalInterface
  private interface Feature {
    Object of(LineItem item, long hash);
  }

  private static void features(
      List<ImpressionColumn> columns, String prefix, int count, DataType type, Feature feature) {
    for (int number = 1; number <= count; number++) {
      long seed = columns.size();
      columns.add(
          new ImpressionColumn(
              String.format("%s_%02d", prefix, number),
              type,
              item -> {
                long hash = mix(impressionId(item) * 1_000 + seed);
                return bounded(mix(hash), MISSING_ONE_IN) == 0 ? null : feature.of(item, hash);
              }));
    }
  }

  private static Instant eventTime(LineItem item) {
    return instant(item.getShipDate(), bounded(mix(impressionId(item)), MICROS_PER_DAY));
  }

  private static Instant instant(long epochDay, long microOfDay) {
    return Instant.ofEpochSecond(
        epochDay * 86_400 + microOfDay / 1_000_000, microOfDay % 1_000_000 * 1_000);
  }

  private static BigDecimal revenue(LineItem item) {
    return BigDecimal.valueOf(
        item.getExtendedPriceInCents() * (100 - item.getDiscountPercent()), 4);
  }

  private static BigDecimal cents(long cents) {
    return BigDecimal.valueOf(cents, 2);
  }

  private static long bounded(long hash, long bound) {
    return Long.remainderUnsigned(hash, bound);
  }

  /** The finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): spreads every input bit. */
  private static long mix(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
