package io.lakestream.spark.read.plan;

/**
 * How a plan is cut.
 *
 * @param splitSize the most bytes of wanted columns per lake split
 * @param parallelism how many tasks can run at once; small lakes are cut to use them all
 * @param fileOpenCost bytes that opening a file counts as
 * @param maxLogRecords offsets per log split
 * @param projectedFraction the estimated share of a file's bytes that the wanted columns have, over
 *     0 and up to 1
 */
public record PlanSettings(
    long splitSize,
    int parallelism,
    long fileOpenCost,
    long maxLogRecords,
    double projectedFraction) {}
