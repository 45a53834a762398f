package io.lakestream.spark.read;

import io.lakestream.spark.lake.LakeCatalog;
import io.lakestream.spark.log.LogCluster;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.options.OptionResolver;
import java.util.Optional;

/**
 * All that a read needs to know of its table. Driver only.
 *
 * @param cluster the Fluss cluster
 * @param table the table as it was when Spark resolved it
 * @param lakes opens the lake
 * @param lakePath where the lake is, empty if nobody says
 * @param lakeOnly whether the log is left out whatever the options say
 * @param options the options of this read
 */
public record ReadContext(
    LogCluster cluster,
    LogTable table,
    LakeCatalog lakes,
    Optional<String> lakePath,
    boolean lakeOnly,
    OptionResolver options) {}
