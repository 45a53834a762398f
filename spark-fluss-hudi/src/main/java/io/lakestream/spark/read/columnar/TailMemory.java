package io.lakestream.spark.read.columnar;

import java.io.Serializable;

/**
 * What a task may hold in memory of a bucket's tail; the rest goes to local disk.
 *
 * @param rows the most changed rows
 * @param bytes the most bytes of changed rows, or of changed keys
 */
public record TailMemory(long rows, long bytes) implements Serializable {}
