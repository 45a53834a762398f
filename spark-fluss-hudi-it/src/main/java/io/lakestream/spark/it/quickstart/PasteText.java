package io.lakestream.spark.it.quickstart;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** What to paste into a terminal to read the served tables. */
final class PasteText {
  private static final String QUERY =
      "SELECT channel, count(*), sum(revenue) FROM "
          + QuickStartTables.IMPRESSIONS
          + " GROUP BY channel";

  private PasteText() {}

  static String of(Path connector, String hudiPackage, Map<String, String> settings) {
    String options =
        " --jars "
            + connector
            + " --packages "
            + hudiPackage
            + settings.entrySet().stream()
                .map(entry -> " \\\n    --conf " + entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining());
    return String.join(
        "\n",
        "",
        "  spark-sql" + options,
        "    " + QUERY + ";",
        "",
        "  spark-shell" + options,
        "    spark.sql(\"" + QUERY + "\").show()",
        "",
        "  pyspark" + options,
        "    spark.sql(\"" + QUERY + "\").show()",
        "");
  }
}
