package io.lakestream.spark.lake;

import java.io.Serializable;

/**
 * What one task of a round writes.
 *
 * @param round the id of the round
 * @param instant the requested time of the round's instant
 * @param tableId the id that the cluster gave to the table
 * @param bucket where the rows belong
 * @param fileGroup the file group of a primary-key table to which changes are appended, or null to
 *     begin a new file group
 * @param index this split's number, from 0
 * @param count how many splits the round has
 * @param roundTimestamp when the round began, in milliseconds since the epoch
 */
public record LakeWriteSplit(
    String round,
    String instant,
    long tableId,
    LakeBucket bucket,
    String fileGroup,
    int index,
    int count,
    long roundTimestamp)
    implements Serializable {}
