package io.lakestream.spark.lake;

import java.io.IOException;
import java.io.Serializable;

/** Opens writers of one lake table in tasks. Serializable with values only; thread-safe. */
public interface LakeBucketWriterFactory extends Serializable {

  /** Opens a writer for one attempt of a split. */
  LakeBucketWriter open(LakeWriteSplit split) throws IOException;
}
