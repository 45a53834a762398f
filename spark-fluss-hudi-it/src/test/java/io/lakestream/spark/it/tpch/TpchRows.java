package io.lakestream.spark.it.tpch;

import static io.lakestream.spark.it.harness.Change.row;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Row;

/**
 * Rows of the eight tables, the same in every run. Far fewer than the specification's smallest
 * scale has; words, dates and prices are drawn from fewer values, so that each query with the
 * specification's own parameters still has rows.
 */
final class TpchRows {
  private static final int SUPPLIERS = 60;
  private static final int PARTS = 240;
  private static final int SUPPLIERS_PER_PART = 4;
  private static final int CUSTOMERS = 150;
  private static final int ORDERS = 1_200;

  private static final LocalDate FIRST_ORDER = LocalDate.of(1992, 1, 1);
  private static final int ORDER_DAYS = 2_405;
  private static final LocalDate TODAY = LocalDate.of(1995, 6, 17);

  private static final String[] REGIONS = {"AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"};

  /** The position of a nation's region in the list of regions follows its name. */
  private static final String[] NATIONS = {
    "ALGERIA 0",
    "ARGENTINA 1",
    "BRAZIL 1",
    "CANADA 1",
    "EGYPT 4",
    "ETHIOPIA 0",
    "FRANCE 3",
    "GERMANY 3",
    "INDIA 2",
    "INDONESIA 2",
    "IRAN 4",
    "IRAQ 4",
    "JAPAN 2",
    "JORDAN 4",
    "KENYA 0",
    "MOROCCO 0",
    "MOZAMBIQUE 0",
    "PERU 1",
    "CHINA 2",
    "ROMANIA 3",
    "SAUDI ARABIA 4",
    "VIETNAM 2",
    "RUSSIA 3",
    "UNITED KINGDOM 3",
    "UNITED STATES 1"
  };

  /** Half of the suppliers and customers live in the nations that the queries ask for. */
  private static final int[] ASKED_NATIONS = {2, 3, 6, 7, 8, 20};

  private static final String[] COLORS = {"almond", "forest", "green", "ivory", "navy", "tan"};
  private static final String[] TYPES = {
    "ECONOMY ANODIZED STEEL",
    "PROMO BURNISHED COPPER",
    "STANDARD PLATED BRASS",
    "MEDIUM POLISHED TIN",
    "LARGE BRUSHED NICKEL"
  };
  private static final String[] BRANDS = {"Brand#12", "Brand#23", "Brand#34", "Brand#45"};
  private static final String[] CONTAINERS = {"SM CASE", "SM BOX", "MED BAG", "MED BOX", "LG PACK"};
  private static final int[] SIZES = {1, 3, 5, 9, 14, 15, 19, 23, 36, 45, 49};
  private static final String[] SEGMENTS = {"AUTOMOBILE", "BUILDING", "MACHINERY"};
  private static final String[] PRIORITIES = {"1-URGENT", "2-HIGH", "3-MEDIUM", "5-LOW"};
  private static final String[] SHIP_MODES = {"AIR", "AIR REG", "MAIL", "SHIP", "TRUCK"};
  private static final String[] INSTRUCTIONS = {"DELIVER IN PERSON", "COLLECT COD", "NONE"};
  private static final String[] WORDS = {"carefully", "special", "final", "requests", "deposits"};

  private final Random random = new Random(19_921_998);
  private final Map<TpchTable, List<Row>> rows = new EnumMap<>(TpchTable.class);

  private TpchRows() {
    for (TpchTable table : TpchTable.values()) {
      rows.put(table, new ArrayList<>());
    }
  }

  static Map<TpchTable, List<Row>> generate() {
    TpchRows generator = new TpchRows();
    generator.places();
    generator.suppliers();
    generator.parts();
    generator.customers();
    generator.orders();
    return generator.rows;
  }

  private void add(TpchTable table, Object... values) {
    rows.get(table).add(row(values));
  }

  private void places() {
    for (int i = 0; i < REGIONS.length; i++) {
      add(TpchTable.REGION, i, REGIONS[i], comment());
    }
    for (int i = 0; i < NATIONS.length; i++) {
      int end = NATIONS[i].length() - 1;
      int region = NATIONS[i].charAt(end) - '0';
      add(TpchTable.NATION, i, NATIONS[i].substring(0, end - 1), region, comment());
    }
  }

  private void suppliers() {
    for (int key = 1; key <= SUPPLIERS; key++) {
      int nation = nation();
      String comment = key % 10 == 0 ? "Customer slow Complaints" : comment();
      add(
          TpchTable.SUPPLIER,
          key,
          "Supplier#%09d".formatted(key),
          address(),
          nation,
          phone(nation),
          cents(-99_999, 999_999),
          comment);
    }
  }

  private void parts() {
    for (int key = 1; key <= PARTS; key++) {
      add(
          TpchTable.PART,
          key,
          one(COLORS) + " " + one(COLORS),
          "Manufacturer#" + (1 + random.nextInt(5)),
          one(BRANDS),
          one(TYPES),
          SIZES[random.nextInt(SIZES.length)],
          one(CONTAINERS),
          price(key),
          comment());
      for (int i = 0; i < SUPPLIERS_PER_PART; i++) {
        add(
            TpchTable.PARTSUPP,
            key,
            supplier(key, i),
            1 + random.nextInt(9_999),
            cents(100, 100_000),
            comment());
      }
    }
  }

  /** Four different suppliers for each part. */
  private static int supplier(int part, int number) {
    return 1 + (part + number * (SUPPLIERS / SUPPLIERS_PER_PART)) % SUPPLIERS;
  }

  private void customers() {
    for (int key = 1; key <= CUSTOMERS; key++) {
      int nation = nation();
      add(
          TpchTable.CUSTOMER,
          key,
          "Customer#%09d".formatted(key),
          address(),
          nation,
          phone(nation),
          cents(-99_999, 999_999),
          one(SEGMENTS),
          comment());
    }
  }

  private void orders() {
    for (int i = 0; i < ORDERS; i++) {
      long key = 1 + i * 4L;
      LocalDate date = FIRST_ORDER.plusDays(random.nextInt(ORDER_DAYS));
      boolean bulk = i % 50 == 0;
      int lines = bulk ? 7 : 1 + random.nextInt(7);
      BigDecimal total = BigDecimal.ZERO;
      int open = 0;
      for (int line = 1; line <= lines; line++) {
        Row item = lineItem(key, line, date, bulk);
        rows.get(TpchTable.LINEITEM).add(item);
        total = total.add(item.getDecimal(5));
        open += item.getString(9).equals("O") ? 1 : 0;
      }
      String status = open == 0 ? "F" : open == lines ? "O" : "P";
      add(
          TpchTable.ORDERS,
          key,
          customerWithOrders(),
          status,
          total,
          date,
          one(PRIORITIES),
          "Clerk#%09d".formatted(random.nextInt(10)),
          0,
          comment());
    }
  }

  /** A third of the customers never orders. */
  private int customerWithOrders() {
    int key = 1 + random.nextInt(CUSTOMERS - 1);
    return key % 3 == 0 ? key + 1 : key;
  }

  private Row lineItem(long order, int line, LocalDate ordered, boolean bulk) {
    int part = 1 + random.nextInt(PARTS);
    int quantity = bulk ? 45 + random.nextInt(6) : 1 + random.nextInt(50);
    LocalDate shipped = ordered.plusDays(1 + random.nextInt(121));
    LocalDate committed = ordered.plusDays(30 + random.nextInt(61));
    LocalDate received = shipped.plusDays(1 + random.nextInt(30));
    String returned = received.isAfter(TODAY) ? "N" : random.nextBoolean() ? "R" : "A";
    return row(
        order,
        part,
        supplier(part, random.nextInt(SUPPLIERS_PER_PART)),
        line,
        BigDecimal.valueOf(quantity).setScale(2),
        price(part).multiply(BigDecimal.valueOf(quantity)),
        cents(0, 10),
        cents(0, 8),
        returned,
        shipped.isAfter(TODAY) ? "O" : "F",
        shipped,
        committed,
        received,
        one(INSTRUCTIONS),
        one(SHIP_MODES),
        comment());
  }

  private static BigDecimal price(int part) {
    return BigDecimal.valueOf(90_000 + part / 10 % 20_001 + 100L * (part % 1_000), 2);
  }

  private BigDecimal cents(int least, int most) {
    return BigDecimal.valueOf(least + random.nextInt(most - least + 1), 2);
  }

  private int nation() {
    return random.nextBoolean()
        ? ASKED_NATIONS[random.nextInt(ASKED_NATIONS.length)]
        : random.nextInt(NATIONS.length);
  }

  private String phone(int nation) {
    return "%d-%03d-%04d".formatted(nation + 10, random.nextInt(1_000), random.nextInt(10_000));
  }

  private String address() {
    return Integer.toString(random.nextInt(Integer.MAX_VALUE), 36);
  }

  private String comment() {
    return one(WORDS) + " " + one(WORDS) + " " + one(WORDS);
  }

  private String one(String[] values) {
    return values[random.nextInt(values.length)];
  }
}
