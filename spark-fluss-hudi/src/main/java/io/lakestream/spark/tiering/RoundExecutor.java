package io.lakestream.spark.tiering;

import io.lakestream.spark.lake.LakeWriteResult;
import java.util.List;

/** Runs the tasks of a round and returns the result of one successful attempt of each. */
public interface RoundExecutor {

  /** Runs all tasks; fails if one of them fails for good. */
  List<LakeWriteResult> run(List<BucketTask> tasks);

  /** How many tasks run at once, at least 1. */
  default int parallelism() {
    return 1;
  }
}
