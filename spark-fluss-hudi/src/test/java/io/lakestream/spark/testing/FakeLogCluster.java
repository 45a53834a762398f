package io.lakestream.spark.testing;

import io.lakestream.spark.log.KeySnapshot;
import io.lakestream.spark.log.LakeSnapshot;
import io.lakestream.spark.log.LogBucket;
import io.lakestream.spark.log.LogPartition;
import io.lakestream.spark.log.LogTable;
import io.lakestream.spark.types.TablePath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A cluster with one table, whose state a test sets; what no test sets fails. */
public final class FakeLogCluster extends FailingLogCluster {
  public LogTable table;
  public final List<LogPartition> partitions = new ArrayList<>();
  public Optional<LakeSnapshot> lakeSnapshot = Optional.empty();
  public final Map<LogBucket, Long> earliest = new HashMap<>();
  public final Map<LogBucket, Long> latest = new HashMap<>();

  public final Map<LogBucket, KeySnapshot> keySnapshots = new HashMap<>();

  /** Every question asked, in order. */
  public final List<String> questions = new ArrayList<>();

  /** Runs after each question, to change the state under the reader's feet. */
  public Runnable afterQuestion = () -> {};

  private void ask(String question) {
    questions.add(question);
  }

  @Override
  public String address() {
    return "fake:1";
  }

  @Override
  public LogTable table(TablePath path) {
    ask("table");
    return table;
  }

  @Override
  public List<LogPartition> partitions(LogTable table) {
    ask("partitions");
    List<LogPartition> answer = List.copyOf(partitions);
    afterQuestion.run();
    return answer;
  }

  @Override
  public Optional<LakeSnapshot> readableLakeSnapshot(LogTable table) {
    ask("lake");
    Optional<LakeSnapshot> answer = lakeSnapshot;
    afterQuestion.run();
    return answer;
  }

  @Override
  public Map<LogBucket, Long> earliestOffsets(LogTable table, Collection<LogBucket> buckets) {
    ask("earliest");
    Map<LogBucket, Long> answer = only(earliest, buckets);
    afterQuestion.run();
    return answer;
  }

  @Override
  public Map<LogBucket, Long> latestOffsets(LogTable table, Collection<LogBucket> buckets) {
    ask("latest");
    Map<LogBucket, Long> answer = only(latest, buckets);
    afterQuestion.run();
    return answer;
  }

  @Override
  public Map<LogBucket, KeySnapshot> keySnapshots(LogTable table, Collection<LogBucket> buckets) {
    ask("key snapshots");
    Map<LogBucket, KeySnapshot> answer = new HashMap<>(keySnapshots);
    answer.keySet().retainAll(buckets);
    afterQuestion.run();
    return answer;
  }

  @Override
  public Set<LogBucket> holdKeySnapshots(LogTable table, Map<LogBucket, Long> ids) {
    Set<LogBucket> held = new HashSet<>(ids.keySet());
    held.removeIf(
        bucket ->
            !keySnapshots.containsKey(bucket) || keySnapshots.get(bucket).id() != ids.get(bucket));
    return held;
  }

  private static Map<LogBucket, Long> only(
      Map<LogBucket, Long> offsets, Collection<LogBucket> buckets) {
    Map<LogBucket, Long> answer = new HashMap<>(offsets);
    answer.keySet().retainAll(buckets);
    return answer;
  }
}
