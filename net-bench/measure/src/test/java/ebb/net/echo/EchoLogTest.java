package ebb.net.echo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ebb.core.rand.SeededRandom;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

/** Echoes over paths of virtual time whose truth is known. */
class EchoLogTest {
  private static final long WAIT = 1_000_000;

  private static EchoLog log(List<EchoReply> replies) {
    return new EchoLog(WAIT, true, replies::add);
  }

  /** An answer under way. */
  private record Answer(long atMicros, long number) {}

  @Test
  void countsWhatThePathDid() {
    for (long seed = 1; seed <= 20; seed++) {
      SeededRandom random = new SeededRandom(seed);
      List<EchoReply> replies = new ArrayList<>();
      EchoLog log = log(replies);
      PriorityQueue<Answer> path =
          new PriorityQueue<>((a, b) -> Long.compare(a.atMicros, b.atMicros));
      long lost = 0;
      long twice = 0;
      long late = 0;
      double sum = 0;
      for (long n = 0; n < 1_000; n++) {
        long now = n * 10_000;
        arrive(path, log, now);
        assertThat(log.onSent(now, now)).isEqualTo(n);
        int fate = (int) Math.floorMod(random.nextLong(), 100L);
        if (fate < 10) {
          lost++;
          continue;
        }
        boolean slow = fate >= 97;
        // Each delay is another one, so that no two answers come at once.
        long delay = slow ? WAIT + 500_000 + n : 5_000 + Math.floorMod(random.nextLong(), 60_000L);
        late += slow ? 1 : 0;
        sum += delay;
        path.add(new Answer(now + delay, n));
        if (fate < 15) {
          twice++;
          path.add(new Answer(now + delay + 1, n));
        }
      }
      arrive(path, log, Long.MAX_VALUE);
      log.onEnd();
      EchoCounts counts = log.counts();
      assertThat(counts.transmitted()).as("seed %d", seed).isEqualTo(1_000);
      assertThat(counts.lost()).as("seed %d", seed).isEqualTo(lost);
      assertThat(counts.received()).isEqualTo(1_000 - lost);
      assertThat(counts.duplicates()).isEqualTo(twice);
      assertThat(counts.late()).as("seed %d", seed).isEqualTo(late);
      assertThat(counts.reordered()).isEqualTo(overtaken(replies));
      assertThat(log.roundTrips().count()).isEqualTo(1_000 - lost);
      assertThat(log.roundTrips().meanMicros()).isCloseTo(sum / (1_000 - lost), within(0.5));
      assertThat(counts.lossRatio()).isCloseTo(lost / 1e3, within(1e-9));
    }
  }

  private static void arrive(PriorityQueue<Answer> path, EchoLog log, long until) {
    for (Answer next = path.peek(); next != null && next.atMicros <= until; next = path.peek()) {
      path.remove();
      log.onTime(next.atMicros);
      assertThat(log.onAnswer(next.number, 7, next.atMicros)).isTrue();
    }
  }

  /** First answers that came after one to a later echo. */
  private static long overtaken(List<EchoReply> replies) {
    long highest = -1;
    long overtaken = 0;
    for (EchoReply reply : replies) {
      if (!reply.duplicate()) {
        overtaken += reply.number() < highest ? 1 : 0;
        highest = Math.max(highest, reply.number());
      }
    }
    return overtaken;
  }

  @Test
  void anAnswerWithinTheWaitIsNoLossAndOneAfterItIsLateAndNoLossEither() {
    List<EchoReply> replies = new ArrayList<>();
    EchoLog log = log(replies);
    log.onSent(0, 0);
    log.onTime(WAIT);
    assertThat(log.counts().lost()).isZero();
    log.onTime(WAIT + 1);
    assertThat(log.counts().lost()).isEqualTo(1);
    assertThat(log.allAnswered()).isFalse();
    assertThat(log.onAnswer(0, 42, WAIT + 2)).isTrue();
    assertThat(log.counts()).isEqualTo(new EchoCounts(1, 1, 0, 1, 0, 0, 0));
    assertThat(replies.get(0).late()).isTrue();
    assertThat(replies.get(0).peerMicros()).isEqualTo(42);
    assertThat(log.allAnswered()).isTrue();
  }

  @Test
  void answersToWhatWasNeverSentAreNotCounted() {
    EchoLog log = log(new ArrayList<>());
    assertThat(log.onAnswer(0, 0, 0)).isFalse();
    log.onSent(0, 0);
    assertThat(log.onAnswer(1, 0, 0)).isFalse();
    assertThat(log.onAnswer(-1, 0, 0)).isFalse();
    assertThat(log.onAnswer(Long.MIN_VALUE, 0, 0)).isFalse();
    assertThat(log.counts()).isEqualTo(new EchoCounts(1, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void rememberOnlySoManyAndCountsTheOthersAsLost() {
    EchoLog log = log(new ArrayList<>());
    int sent = (1 << 16) + EchoLog.MAX_KEPT;
    for (int n = 0; n < sent; n++) {
      log.onSent(0, 0);
    }
    assertThat(log.onAnswer(5, 0, 0)).as("forgotten").isFalse();
    assertThat(log.counts().lost()).isEqualTo(EchoLog.MAX_KEPT);
    assertThat(log.kept()).isEqualTo(EchoLog.MAX_KEPT);
    assertThat(log.roundTripMicros(EchoLog.MAX_KEPT - 1)).isEqualTo(EchoLog.UNANSWERED);
    assertThat(log.onAnswer(sent - 1, 0, 9)).isTrue();
    log.onEnd();
    assertThat(log.counts().lost()).isEqualTo(sent - 1);
  }

  @Test
  void theDeviationIsThatOfPing() {
    EchoLog log = log(new ArrayList<>());
    assertThat(log.deviationMicros()).isNaN();
    for (long micros : new long[] {100, 200, 300}) {
      log.onAnswer(log.onSent(0, 0), 0, micros);
    }
    // ping(8): sqrt(mean of squares - square of the mean).
    assertThat(log.deviationMicros()).isCloseTo(81.65, within(0.01));
    assertThat(log.roundTripMicros(1)).isEqualTo(200);
    assertThat(log.sinceLast().count()).isEqualTo(3);
    assertThat(log.sinceLast().count()).isZero();
  }

  private static EchoSchedule schedule(long interval, int count) {
    EchoSchedule schedule =
        new EchoSchedule(
            TestSpec.of("udp", Mode.ECHO)
                .messageBytes(10)
                .amountBytes(10L * count)
                .parameter(EchoSchedule.INTERVAL, interval)
                .build());
    schedule.start(0);
    return schedule;
  }

  @Test
  void thePlanIsNotMovedByWhatIsLateOrUnanswered() {
    EchoSchedule schedule = schedule(1_000, 4);
    assertThat(schedule.take(0)).isZero();
    assertThat(schedule.waitMicros(400)).isEqualTo(600);
    // The process was away: what is owed goes at once, as it was planned.
    assertThat(schedule.waitMicros(2_500)).isZero();
    assertThat(schedule.take(2_500)).isEqualTo(1_000);
    assertThat(schedule.take(2_500)).isEqualTo(2_000);
    assertThat(schedule.waitMicros(2_500)).isEqualTo(500);
    assertThat(schedule.exhausted()).isFalse();
    schedule.take(3_000);
    assertThat(schedule.exhausted()).isTrue();
  }

  @Test
  void aMachineThatSleptForAnHourDoesNotSendAnHoursEchoesAtOnce() {
    EchoSchedule schedule = schedule(1_000, 10_000_000);
    schedule.take(0);
    long now = 3_600_000_000L;
    int owed = 0;
    while (schedule.waitMicros(now) == 0) {
      schedule.take(now);
      owed++;
    }
    assertThat(owed).isEqualTo(1_001);
  }

  @Test
  void withoutAnIntervalTheNextGoesWhenTheOneBeforeIsAnsweredOrLost() {
    EchoSchedule schedule = schedule(0, 10);
    schedule.take(0);
    assertThat(schedule.waitMicros(100)).isEqualTo(EchoSchedule.FLOOD_MICROS - 100);
    schedule.answered(100);
    assertThat(schedule.waitMicros(100)).isZero();
    schedule.take(100);
    assertThat(schedule.waitMicros(100 + EchoSchedule.FLOOD_MICROS)).isZero();
    schedule.stop();
    assertThat(schedule.exhausted()).isTrue();
  }
}
