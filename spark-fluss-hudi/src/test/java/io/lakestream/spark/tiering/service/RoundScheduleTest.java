package io.lakestream.spark.tiering.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RoundScheduleTest {
  private static final Instant START = Instant.parse("2026-12-01T00:00:00Z");
  private static final Pace PACE =
      new Pace(Duration.ofSeconds(60), Duration.ofSeconds(4), Duration.ofSeconds(30));

  private final RoundSchedule schedule = new RoundSchedule(new Random(7));

  private static Instant at(long seconds) {
    return START.plusSeconds(seconds);
  }

  @Test
  void aTableIsDueAtOnceAndThenAtItsPace() {
    schedule.update(Map.of("a", PACE), at(0));
    assertThat(schedule.begin(at(0))).contains("a");
    assertThat(schedule.begin(at(500))).isEmpty();
    schedule.succeeded("a", false, at(10));
    assertThat(schedule.nextDue()).contains(at(60));
    assertThat(schedule.begin(at(59))).isEmpty();
    assertThat(schedule.begin(at(60))).contains("a");
  }

  @Test
  void aRoundThatTookLongerThanThePaceIsFollowedAtOnce() {
    schedule.update(Map.of("a", PACE), at(0));
    schedule.begin(at(0));
    schedule.succeeded("a", false, at(90));
    assertThat(schedule.nextDue()).contains(at(90));
  }

  @Test
  void whatIsWaitingIsTakenAtOnce() {
    schedule.update(Map.of("a", PACE), at(0));
    schedule.begin(at(0));
    schedule.succeeded("a", true, at(5));
    assertThat(schedule.begin(at(5))).contains("a");
  }

  @Test
  void theTableThatIsDueForLongestComesFirst() {
    schedule.update(Map.of("a", PACE), at(0));
    schedule.begin(at(0));
    schedule.succeeded("a", false, at(1));
    schedule.update(Map.of("a", PACE, "b", PACE), at(30));
    assertThat(schedule.begin(at(100))).contains("b");
    assertThat(schedule.begin(at(100))).contains("a");
    assertThat(schedule.begin(at(100))).isEmpty();
  }

  @Test
  void failuresWaitLongerEachTimeAndOnlyForTheirTable() {
    schedule.update(Map.of("a", PACE, "b", PACE), at(0));
    Instant now = at(0);
    long[] longest = {4, 8, 16, 30, 30};
    for (long seconds : longest) {
      while (!schedule.begin(now).filter("a"::equals).isPresent()) {
        schedule.succeeded("b", false, now);
      }
      Duration wait = schedule.failed("a", now);
      assertThat(wait)
          .isBetween(Duration.ofSeconds(seconds).dividedBy(2), Duration.ofSeconds(seconds));
      now = now.plus(wait);
    }
    assertThat(schedule.failures()).isEqualTo(Map.of("a", 5, "b", 0));
    schedule.begin(now);
    schedule.succeeded("a", false, now);
    assertThat(schedule.failures()).containsEntry("a", 0);
  }

  @Test
  void aDroppedTableIsForgottenEvenWhileItsRoundRuns() {
    schedule.update(Map.of("a", PACE), at(0));
    schedule.begin(at(0));
    schedule.update(Map.of(), at(1));
    schedule.succeeded("a", true, at(2));
    assertThat(schedule.failed("a", at(2))).isEqualTo(Duration.ZERO);
    assertThat(schedule.nextDue()).isEmpty();
    assertThat(schedule.tables()).isEmpty();
  }
}
