package io.lakestream.spark.read.plan;

import io.lakestream.spark.lake.LakeFile;
import io.lakestream.spark.lake.LakeSlice;
import io.lakestream.spark.log.LogRange;
import java.io.Serializable;
import java.util.List;

/** What one task reads. Values only; every row of a snapshot belongs to exactly one split. */
public sealed interface UnionSplit extends Serializable {

  /**
   * Parts of base files that nothing has to be merged with.
   *
   * @param parts at least one
   */
  record LakeSplit(List<FilePart> parts) implements UnionSplit {
    public LakeSplit {
      parts = List.copyOf(parts);
    }
  }

  /**
   * The row groups of a base file whose middle lies in {@code [start, start + length)}.
   *
   * @param file the base file
   */
  record FilePart(LakeFile file, long start, long length) implements Serializable {}

  /** A range of one bucket of a log table. */
  record LogSplit(LogRange range) implements UnionSplit {}

  /**
   * All slices of one bucket of a primary-key table, and the changes after them. The split also
   * emits the rows that survive in the tail.
   *
   * @param slices may be empty
   * @param tail the bucket's changes after the lake, or null if there are none
   * @param keySnapshot the id of the key snapshot that comes before the tail, or null; with one
   *     there are no slices
   */
  record OverlaySplit(List<LakeSlice> slices, LogRange tail, Long keySnapshot)
      implements UnionSplit {
    public OverlaySplit {
      slices = List.copyOf(slices);
    }

    /** A split without a key snapshot. */
    public OverlaySplit(List<LakeSlice> slices, LogRange tail) {
      this(slices, tail, null);
    }
  }
}
