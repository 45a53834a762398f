package io.lakestream.spark.read.columnar;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/** The metrics of a read, as the Spark UI shows them on the scan. */
public final class ReadMetric {
  private ReadMetric() {}

  /** Rows read from the lake, overridden ones included. */
  public static final class LakeRows extends CustomSumMetric {
    static final String NAME = "lakeRows";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "rows read from the lake";
    }
  }

  /** Records read from the log. */
  public static final class LogRows extends CustomSumMetric {
    static final String NAME = "logRows";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "records read from the log";
    }
  }

  /** Rows read from key snapshots, overridden ones included. */
  public static final class KeySnapshotRows extends CustomSumMetric {
    static final String NAME = "keySnapshotRows";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "rows read from key snapshots";
    }
  }

  /** Lake rows that a later change removed or replaced. */
  public static final class OverriddenRows extends CustomSumMetric {
    static final String NAME = "overriddenRows";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "lake rows overridden by later changes";
    }
  }

  /** Bytes that tasks read from lake files. */
  public static final class LakeBytesRead extends CustomSumMetric {
    static final String NAME = "lakeBytesRead";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "bytes read from lake files";
    }
  }

  /** Bytes that the Fluss client fetched. */
  public static final class LogBytesFetched extends CustomSumMetric {
    static final String NAME = "logBytesFetched";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "bytes fetched from the log";
    }
  }

  /** Bytes of changes that tasks put on local disk. */
  public static final class SpilledBytes extends CustomSumMetric {
    static final String NAME = "spilledBytes";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "bytes of changes put on local disk";
    }
  }

  /** Offsets that were skipped because the log had lost them. */
  public static final class LostRows extends CustomSumMetric {
    /** The name, for the driver-side value. */
    public static final String NAME = "lostRows";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "rows skipped because the log lost them";
    }
  }

  /** All metrics, for the driver. */
  public static CustomMetric[] all() {
    return new CustomMetric[] {
      new LakeRows(),
      new LogRows(),
      new KeySnapshotRows(),
      new OverriddenRows(),
      new LakeBytesRead(),
      new LogBytesFetched(),
      new SpilledBytes(),
      new LostRows()
    };
  }

  /** One metric's value. */
  public static CustomTaskMetric value(String name, long value) {
    return new CustomTaskMetric() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public long value() {
        return value;
      }
    };
  }

  static CustomTaskMetric[] taskValues(ReadCounters counters, long lakeBytesRead) {
    List<CustomTaskMetric> values = new ArrayList<>();
    values.add(value(LakeRows.NAME, counters.lakeRows));
    values.add(value(LogRows.NAME, counters.logRows));
    values.add(value(KeySnapshotRows.NAME, counters.keySnapshotRows));
    values.add(value(OverriddenRows.NAME, counters.overriddenRows));
    values.add(value(LakeBytesRead.NAME, lakeBytesRead));
    values.add(value(LogBytesFetched.NAME, counters.logBytesFetched));
    values.add(value(SpilledBytes.NAME, counters.spilledBytes));
    return values.toArray(new CustomTaskMetric[0]);
  }
}
