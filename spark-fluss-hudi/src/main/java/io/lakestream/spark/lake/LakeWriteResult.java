package io.lakestream.spark.lake;

import java.io.Serializable;

/**
 * What one task of a round has written.
 *
 * @param split what was asked of the task
 * @param rows how many rows were written
 * @param deletes how many deletes were written
 * @param bytes the size of the files that were written
 * @param files what the lake needs to know of the files at commit, in a form of its own
 */
public record LakeWriteResult(
    LakeWriteSplit split, long rows, long deletes, long bytes, byte[] files)
    implements Serializable {}
