package io.lakestream.spark.log;

/**
 * The rows of one bucket of a primary-key table as of an offset, as the cluster keeps them beside
 * the log.
 *
 * @param id Fluss's id of the snapshot, unique in its bucket
 * @param logOffset the exclusive end of the changes that are in it
 */
public record KeySnapshot(long id, long logOffset) {}
