package io.lakestream.spark.hudi;

import io.lakestream.spark.error.ErrorCode;
import io.lakestream.spark.error.LakestreamException;
import io.lakestream.spark.lake.PendingInstant;
import io.lakestream.spark.types.TablePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieActiveTimeline;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.exception.HoodieIOException;
import org.apache.hudi.storage.StoragePath;

/**
 * The data instants that are not complete yet, and how rounds share them. Hudi deletes the files of
 * an instant before the instant itself, and completes it without looking at its files, so a writer
 * that paused could complete what another one is rolling back. Therefore who rolls back claims the
 * instant first and then looks whether it is complete, and who completes looks for claims
 * afterwards: one of the two sees the other. Not thread-safe.
 */
final class HudiPendingInstants {
  private final TablePath table;
  private final HoodieTableMetaClient metaClient;
  private final String action;
  private final HudiHeartbeats heartbeats;
  private final Predicate<String> rollback;

  /** The instants that this writer requested. */
  private final Set<String> own = new HashSet<>();

  /** The one of them for which {@link #checkOwned} was passed. */
  private String completing;

  /**
   * @param rollback Hudi's own rollback of a pending instant; its result is whether it succeeded
   */
  HudiPendingInstants(
      TablePath table,
      HoodieTableMetaClient metaClient,
      HudiHeartbeats heartbeats,
      Predicate<String> rollback) {
    this.table = table;
    this.metaClient = metaClient;
    this.action = metaClient.getCommitActionType();
    this.heartbeats = heartbeats;
    this.rollback = rollback;
  }

  /** All of them, the oldest first. */
  List<PendingInstant> list() {
    HoodieActiveTimeline timeline = metaClient.reloadActiveTimeline();
    return pending(timeline)
        .sorted(Comparator.comparing(HoodieInstant::requestedTime))
        .flatMap(instant -> describe(timeline, instant).stream())
        .toList();
  }

  private Optional<PendingInstant> describe(HoodieActiveTimeline timeline, HoodieInstant instant) {
    try {
      Map<String, String> metadata =
          instant.isInflight() ? timeline.readCommitMetadata(instant).getExtraMetadata() : Map.of();
      Optional<Duration> silence = heartbeats.silence(instant.requestedTime());
      return Optional.of(
          new PendingInstant(
              instant.requestedTime(),
              instant.isInflight(),
              metadata,
              silence,
              silence.map(heartbeats::isAlive).orElse(false)));
    } catch (FileNotFoundException | HoodieIOException gone) {
      if (isPending(instant.requestedTime())) {
        throw unreadable(gone);
      }
      return Optional.empty();
    } catch (IOException failure) {
      throw unreadable(failure);
    }
  }

  /** Puts a new instant on the timeline. Call it within {@link HudiInstantClock#inZoneOf}. */
  String request(OptionalLong above) {
    String instant;
    do {
      instant = HudiInstantClock.next(metaClient, table, above);
    } while (!add(instant));
    return instant;
  }

  /**
   * Claims an instant and puts it on the timeline.
   *
   * @return whether no other writer came to the same instant
   */
  boolean add(String instant) {
    try {
      // The sign of life comes first: an instant of ours without one is nobody's any more.
      if (!heartbeats.start(instant)) {
        return false;
      }
      own.add(instant);
      metaClient.getActiveTimeline().createNewInstant(requested(instant));
      return true;
    } catch (IOException failure) {
      throw unreadable(failure);
    }
  }

  /** Takes an instant without files off the timeline, if it is there. */
  void discard(String instant) {
    HoodieActiveTimeline timeline = metaClient.reloadActiveTimeline();
    pending(timeline)
        .filter(pending -> pending.requestedTime().equals(instant))
        .forEach(timeline::deleteInstantFileIfExists);
    timeline.deleteInstantFileIfExists(requested(instant));
    heartbeats.end(instant);
  }

  HoodieInstant requested(String instant) {
    return metaClient.createNewInstant(HoodieInstant.State.REQUESTED, action, instant);
  }

  boolean isInflight(String instant) {
    return pending(metaClient.reloadActiveTimeline())
        .anyMatch(pending -> pending.isInflight() && pending.requestedTime().equals(instant));
  }

  /**
   * Rolls an inflight instant back, if this writer requested it or its writer is dead. An instant
   * that turns out to be complete is left as it is, so is one of this writer that another one took
   * over.
   *
   * @throws LakestreamException {@code TIERING_CONFLICT} if another writer is at it
   */
  void rollBack(String instant) {
    boolean owned = own.contains(instant);
    if (owned && isTakenOver(instant)) {
      return;
    }
    if (!owned && !takeOver(instant)) {
      throw conflict("the instant " + instant + " is being rolled back by another job");
    }
    if (completed(instant).isEmpty() && isPending(instant)) {
      runRollback(instant);
      // Its writer woke up in the meantime; it finds the claim and does not report the instant.
      removeCompletion(instant);
    }
    heartbeats.end(instant);
  }

  private void runRollback(String instant) {
    if (!rollback.test(instant)) {
      throw LakestreamException.of(
          ErrorCode.TIERING_FAILED,
          table,
          "the inflight instant "
              + instant
              + " at "
              + metaClient.getBasePath()
              + " could not be rolled back.",
          "Roll it back with Hudi's own tools.");
    }
  }

  /**
   * Completes an inflight instant of this writer.
   *
   * @param inflight what the instant carries while it is inflight
   * @param completion does it; it calls {@link #checkOwned} as late as it can
   * @throws LakestreamException {@code TIERING_CONFLICT} if another writer took the instant over,
   *     and so may have deleted its files
   */
  void complete(String instant, HoodieCommitMetadata inflight, Runnable completion) {
    try {
      completion.run();
      if (!isWhole(instant)) {
        throw overtaken(instant);
      }
    } catch (Exception failure) {
      // Spark throws checked ones, too, undeclared.
      if (instant.equals(completing) && !exists(requested(instant))) {
        rollBackAgain(instant, inflight);
      }
      throw failure;
    }
    heartbeats.end(instant);
  }

  /**
   * Checks that nobody took an inflight instant over from this writer.
   *
   * @throws LakestreamException {@code TIERING_CONFLICT} if somebody did, or may have
   */
  void checkOwned(String instant) {
    if (!isInflight(instant) || isTakenOver(instant) || !heartbeats.isBeating(instant)) {
      throw overtaken(instant);
    }
    completing = instant;
  }

  private LakestreamException overtaken(String instant) {
    return conflict(
        "this round was silent for so long that another one could take over its instant "
            + instant);
  }

  /**
   * Another job has rolled the instant back, but this writer may have told Hudi's metadata table of
   * its files after that, which only a further rollback takes back.
   */
  private void rollBackAgain(String instant, HoodieCommitMetadata inflight) {
    removeCompletion(instant);
    HoodieActiveTimeline timeline = metaClient.reloadActiveTimeline();
    timeline.createNewInstant(requested(instant));
    timeline.transitionRequestedToInflight(requested(instant), Option.of(inflight));
    runRollback(instant);
    heartbeats.end(instant);
  }

  /** Whether an instant is complete and was not taken over before it was. */
  boolean isCompleted(String instant) {
    return completed(instant).isPresent() && isWhole(instant);
  }

  /**
   * Checks that nobody may have deleted the files of a complete instant, see {@link #rollBack}.
   *
   * @throws LakestreamException {@code TIERING_CONFLICT} or {@code LAKE_UNREADABLE} if not
   */
  void checkWhole(String instant) {
    if (!exists(requested(instant))) {
      throw LakestreamException.of(
          ErrorCode.LAKE_UNREADABLE,
          table,
          "the instant "
              + instant
              + " at "
              + metaClient.getBasePath()
              + " was completed while another job rolled it back; its files are gone.",
          "Remove the completed instant's file from the Hudi timeline; its rows are in the log.");
    }
    if (isTakenOver(instant)) {
      settle(instant);
    }
  }

  /** The job that took a complete instant over has left it alone, unless it died before. */
  private void settle(String instant) {
    if (!takeOver(instant)) {
      throw conflict("the instant " + instant + " is being rolled back by another job");
    }
    HoodieInstant complete = completed(instant).orElseThrow();
    try {
      for (String file :
          metaClient
              .getActiveTimeline()
              .readCommitMetadata(complete)
              .getFileIdAndFullPaths(metaClient.getBasePath())
              .values()) {
        if (!metaClient.getStorage().exists(new StoragePath(file))) {
          throw LakestreamException.of(
              ErrorCode.LAKE_UNREADABLE,
              table,
              "the instant "
                  + instant
                  + " was completed while another job rolled it back; its file "
                  + file
                  + " is gone.",
              "Remove the completed instant's file from the Hudi timeline and run the round again;"
                  + " its rows are in the log.");
        }
      }
    } catch (IOException failure) {
      throw unreadable(failure);
    }
    heartbeats.end(instant);
  }

  private boolean isWhole(String instant) {
    return exists(requested(instant)) && !isTakenOver(instant);
  }

  private void removeCompletion(String instant) {
    completed(instant).ifPresent(metaClient.getActiveTimeline()::deleteInstantFileIfExists);
  }

  private Optional<HoodieInstant> completed(String instant) {
    return metaClient
        .reloadActiveTimeline()
        .filterCompletedInstants()
        .getInstantsAsStream()
        .filter(complete -> complete.getAction().equals(action))
        .filter(complete -> complete.requestedTime().equals(instant))
        .findFirst();
  }

  private Stream<HoodieInstant> pending(HoodieActiveTimeline timeline) {
    return timeline
        .filterInflightsAndRequested()
        .getInstantsAsStream()
        .filter(instant -> instant.getAction().equals(action));
  }

  private boolean isPending(String instant) {
    return pending(metaClient.reloadActiveTimeline())
        .anyMatch(pending -> pending.requestedTime().equals(instant));
  }

  private boolean exists(HoodieInstant instant) {
    String name = metaClient.getInstantFileNameGenerator().getFileName(instant);
    try {
      return metaClient.getStorage().exists(new StoragePath(metaClient.getTimelinePath(), name));
    } catch (IOException failure) {
      throw unreadable(failure);
    }
  }

  private boolean takeOver(String instant) {
    try {
      return heartbeats.takeOver(instant);
    } catch (IOException failure) {
      throw unreadable(failure);
    }
  }

  private boolean isTakenOver(String instant) {
    try {
      return heartbeats.isTakenOver(instant);
    } catch (IOException failure) {
      throw unreadable(failure);
    }
  }

  private LakestreamException conflict(String problem) {
    return LakestreamException.of(
        ErrorCode.TIERING_CONFLICT,
        table,
        problem + ", at " + metaClient.getBasePath() + ".",
        "Run one round at a time; raise 'tiering.heartbeat.timeout' if writers pause for longer.");
  }

  private LakestreamException unreadable(Exception cause) {
    return LakestreamException.of(
        ErrorCode.LAKE_UNREADABLE,
        table,
        "the timeline at "
            + metaClient.getBasePath()
            + " cannot be read: "
            + cause.getMessage()
            + ".",
        "Check the path and its file system.",
        cause);
  }
}
