package io.lakestream.spark.tiering;

import io.lakestream.spark.lake.LakeBucket;
import io.lakestream.spark.lake.LakeBucketWriter;
import io.lakestream.spark.lake.LakeBucketWriterFactory;
import io.lakestream.spark.lake.LakeHousekeeping;
import io.lakestream.spark.lake.LakeRound;
import io.lakestream.spark.lake.LakeTableDefinition;
import io.lakestream.spark.lake.LakeTableWriter;
import io.lakestream.spark.lake.LakeTables;
import io.lakestream.spark.lake.LakeWriteResult;
import io.lakestream.spark.lake.LakeWriteSplit;
import io.lakestream.spark.lake.PendingInstant;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * A lake with one table, held in memory: a timeline of rounds and the changes of each as text.
 * Notes every change of the timeline in {@link #operations}.
 */
final class FakeLakeTables implements LakeTables, LakeTableWriter {
  static final Duration TIMEOUT = Duration.ofSeconds(60);

  final List<String> operations;
  final TreeMap<String, Map<String, String>> completed = new TreeMap<>();
  final TreeMap<String, Map<String, String>> inflight = new TreeMap<>();
  final TreeSet<String> requested = new TreeSet<>();

  /** How long the writers of instants have been silent; none for those that never gave a sign. */
  final Map<String, Duration> silences = new HashMap<>();

  final Map<String, List<String>> changes = new TreeMap<>();
  final Map<LakeBucket, String> fileGroups = new HashMap<>();
  LakeTableDefinition definition;
  long nextInstant = 20_260_101_000_000_000L;

  /** Between the look at the timeline and the request, which are not one step in a real lake. */
  Consumer<String> beforeRequest = instant -> {};

  Consumer<String> afterRequest = instant -> {};
  Consumer<String> beforeCommit = instant -> {};
  Consumer<String> afterCommit = instant -> {};

  /** What it throws when it is asked for an instant's state. */
  RuntimeException unreadable;

  FakeLakeTables(List<String> operations) {
    this.operations = operations;
  }

  @Override
  public LakeTableWriter openOrCreate(LakeTableDefinition wanted) {
    definition = wanted;
    return this;
  }

  @Override
  public String path() {
    return "/lake";
  }

  @Override
  public Optional<String> newestDataInstant() {
    return completed.isEmpty() ? Optional.empty() : Optional.of(completed.lastKey());
  }

  @Override
  public Optional<LakeRound> newestRound() {
    return newestDataInstant().map(instant -> new LakeRound(instant, completed.get(instant)));
  }

  @Override
  public List<PendingInstant> pendingInstants() {
    TreeMap<String, Map<String, String>> pending = new TreeMap<>(inflight);
    requested.forEach(instant -> pending.put(instant, Map.of()));
    return pending.entrySet().stream()
        .map(
            entry -> {
              Optional<Duration> silence = Optional.ofNullable(silences.get(entry.getKey()));
              return new PendingInstant(
                  entry.getKey(),
                  inflight.containsKey(entry.getKey()),
                  entry.getValue(),
                  silence,
                  silence.map(since -> since.compareTo(TIMEOUT) <= 0).orElse(false));
            })
        .toList();
  }

  @Override
  public boolean isAlive(String instant) {
    return silences.getOrDefault(instant, TIMEOUT.plusMillis(1)).compareTo(TIMEOUT) <= 0;
  }

  @Override
  public String requestInstant(OptionalLong above) {
    String instant = Long.toString(nextInstant++);
    Stream.of(completed.keySet(), inflight.keySet(), requested)
        .flatMap(Collection::stream)
        .filter(other -> other.compareTo(instant) >= 0)
        .findFirst()
        .ifPresent(
            other -> {
              throw new IllegalStateException(instant + " does not exceed " + other);
            });
    beforeRequest.accept(instant);
    operations.add("request " + instant);
    silences.put(instant, Duration.ZERO);
    requested.add(instant);
    afterRequest.accept(instant);
    return instant;
  }

  @Override
  public void discardInstant(String instant) {
    operations.add("discard " + instant);
    requested.remove(instant);
    inflight.remove(instant);
  }

  @Override
  public void beginInstant(String instant, Map<String, String> metadata) {
    operations.add("begin " + instant);
    requested.remove(instant);
    inflight.put(instant, metadata);
  }

  @Override
  public Map<LakeBucket, String> fileGroups(Collection<LakeBucket> buckets) {
    Map<LakeBucket, String> found = new HashMap<>(fileGroups);
    found.keySet().retainAll(buckets);
    return found;
  }

  @Override
  public LakeBucketWriterFactory bucketWriters() {
    return Writer::new;
  }

  @Override
  public boolean isInflight(String instant) {
    return inflight.containsKey(instant);
  }

  @Override
  public boolean isCompleted(String instant) {
    if (unreadable != null) {
      throw unreadable;
    }
    return completed.containsKey(instant);
  }

  @Override
  public void commit(String instant, List<LakeWriteResult> results, Map<String, String> metadata) {
    operations.add("commit " + instant);
    beforeCommit.accept(instant);
    if (inflight.remove(instant) == null) {
      throw new IllegalStateException("the instant " + instant + " is not inflight");
    }
    completed.put(instant, metadata);
    List<String> written = new ArrayList<>();
    for (LakeWriteResult result : results) {
      String text = new String(result.files(), StandardCharsets.UTF_8);
      text.lines().forEach(written::add);
    }
    changes.put(instant, written);
    afterCommit.accept(instant);
  }

  @Override
  public void rollback(String instant) {
    operations.add("rollback " + instant);
    inflight.remove(instant);
  }

  @Override
  public LakeHousekeeping housekeeping() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}

  /** Writes changes as lines like {@code b0 +1@3} or {@code b0 -1}. */
  private static final class Writer implements LakeBucketWriter {
    private final LakeWriteSplit split;
    private final StringBuilder lines = new StringBuilder();
    private long rows;
    private long deletes;

    Writer(LakeWriteSplit split) {
      this.split = split;
    }

    @Override
    public void write(InternalRow row, long offset, long timestamp) {
      lines.append("b" + split.bucket().bucket() + " +" + row.getInt(0) + row.getUTF8String(1));
      lines.append("@" + offset + "\n");
      rows++;
    }

    @Override
    public void delete(InternalRow row) {
      lines.append("b" + split.bucket().bucket() + " -" + row.getInt(0) + "\n");
      deletes++;
    }

    @Override
    public LakeWriteResult finish() {
      byte[] files = lines.toString().getBytes(StandardCharsets.UTF_8);
      return new LakeWriteResult(split, rows, deletes, files.length, files);
    }

    @Override
    public void close() {}
  }
}
