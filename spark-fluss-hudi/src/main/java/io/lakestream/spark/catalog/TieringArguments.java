package io.lakestream.spark.catalog;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of the tiering job.
 *
 * @param mode what to do
 * @param parallelism how many tables a service tiers at once
 * @param names tables and databases
 */
record TieringArguments(Mode mode, int parallelism, List<String> names) {
  static final String USAGE =
      "Usage: [--compact | --status | --serve [--parallelism N]] catalog.database[.table] ...";

  private static final int DEFAULT_PARALLELISM = 2;
  private static final int MOST_PARALLELISM = 256;

  /** What the job does. */
  enum Mode {
    TIER,
    TIER_AND_COMPACT,
    STATUS,
    SERVE
  }

  /**
   * Reads the arguments.
   *
   * @throws LakestreamException {@code INVALID_OPTION} with the usage
   */
  static TieringArguments parse(String... arguments) {
    Mode mode = Mode.TIER;
    int parallelism = DEFAULT_PARALLELISM;
    List<String> names = new ArrayList<>();
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--compact" -> mode = one(mode, Mode.TIER_AND_COMPACT);
        case "--status" -> mode = one(mode, Mode.STATUS);
        case "--serve" -> mode = one(mode, Mode.SERVE);
        case "--parallelism" ->
            parallelism = number(i + 1 < arguments.length ? arguments[++i] : "nothing");
        default -> names.add(name(arguments[i]));
      }
    }
    if (names.isEmpty()) {
      throw usage("no table is named");
    }
    return new TieringArguments(mode, parallelism, List.copyOf(names));
  }

  private static Mode one(Mode before, Mode now) {
    if (before != Mode.TIER) {
      throw usage("only one of --compact, --status and --serve can be given");
    }
    return now;
  }

  private static int number(String text) {
    try {
      int number = Integer.parseInt(text);
      if (number >= 1 && number <= MOST_PARALLELISM) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      throw usage("--parallelism is '" + text + "', not a number");
    }
    throw usage("--parallelism is " + text + ", not 1 to " + MOST_PARALLELISM);
  }

  private static String name(String text) {
    int parts = text.split("\\.", -1).length;
    if (text.startsWith("--") || parts < 2 || parts > 3) {
      throw usage("'" + text + "' is not catalog.database[.table]");
    }
    return text;
  }

  private static LakestreamException usage(String problem) {
    return LakestreamException.of(ErrorCode.INVALID_OPTION, "tiering job", problem + ".", USAGE);
  }
}
