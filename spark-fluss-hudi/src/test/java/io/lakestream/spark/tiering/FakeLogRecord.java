package io.lakestream.spark.tiering;

import io.lakestream.spark.log.ChangeKind;
import java.io.Serializable;
import java.util.List;

/** A record of {@link FakeLogCluster}: all columns in table order, in Spark's representation. */
record FakeLogRecord(ChangeKind kind, long offset, long timestamp, List<Object> values)
    implements Serializable {}
