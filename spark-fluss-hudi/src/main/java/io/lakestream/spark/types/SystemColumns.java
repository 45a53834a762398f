package io.lakestream.spark.types;

import java.util.List;
import java.util.Locale;

/**
 * Columns that the lake has and users never see. {@code __bucket}, {@code __offset} and {@code
 * __timestamp} are those of Fluss's tiering (FIP-24), {@code _hoodie_*} are Hudi's.
 */
public final class SystemColumns {
  public static final String BUCKET = "__bucket";
  public static final String OFFSET = "__offset";
  public static final String TIMESTAMP = "__timestamp";

  /** The columns that Fluss's tiering adds after the declared ones, in this order. */
  public static final List<String> TIERING = List.of(BUCKET, OFFSET, TIMESTAMP);

  private static final String HUDI_PREFIX = "_hoodie_";

  private SystemColumns() {}

  /** Whether a declared column may not have this name, in any spelling of case. */
  public static boolean isReserved(String name) {
    String folded = name.toLowerCase(Locale.ROOT);
    return TIERING.contains(folded) || folded.startsWith(HUDI_PREFIX);
  }
}
