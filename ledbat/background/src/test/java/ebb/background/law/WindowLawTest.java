package ebb.background.law;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The law on virtual time: a Reno sender that knows nothing, and another beside it. */
final class WindowLawTest {
  private static final long SECOND = 1_000_000;

  private final SharedWindow shared = new SharedWindow(() -> Siblings.NONE, 0);

  @ParameterizedTest(name = "{0} Mbit/s, {1} ms, buffer {2} ms")
  @CsvSource({"5, 10, 50", "20, 40, 200", "20, 150, 100", "100, 40, 50"})
  void aloneItUsesTheLinkWithAShortQueue(double megabits, long baseMillis, long bufferMillis) {
    VirtualLink link = new VirtualLink(megabits, baseMillis * 1_000, bufferMillis * 1_000);
    VirtualLink.Flow flow = link.new Flow(shared);
    link.runUntil(6 * SECOND);
    long before = flow.received();
    link.watchQueue();
    link.runUntil(26 * SECOND);
    assertThat((flow.received() - before) / (20 * link.bytesPerSecond())).isGreaterThan(0.95);
    assertThat(link.medianQueueMicros()).isLessThan(15_000);
  }

  @ParameterizedTest(name = "{0} Mbit/s, {1} ms, buffer {2} ms, jitter of {3} µs")
  @CsvSource({
    "5, 5, 30, 0", // 0.89 when a packet's own time was taken for a queue
    "5, 5, 30, 500", // 0.39
    "5, 10, 30, 1000", // 0.72
    "5, 10, 300, 3000", // 0.85
    "5, 45, 30, 1000", // 0.31 when two rounds that carried less were a rival
    "20, 45, 50, 3000" // 0.77
  })
  void itsOwnPacketsAreNoRival(
      double megabits, long baseMillis, long bufferMillis, long jitterMicros) {
    for (long seed = 1; seed <= 5; seed++) {
      VirtualLink link = new VirtualLink(megabits, baseMillis * 1_000, bufferMillis * 1_000);
      link.setJitter(jitterMicros, seed);
      VirtualLink.Flow flow = link.new Flow(new SharedWindow(() -> Siblings.NONE, 0));
      link.runUntil(5 * SECOND);
      long before = flow.received();
      link.runUntil(25 * SECOND);
      assertThat((flow.received() - before) / (20 * link.bytesPerSecond()))
          .as("seed %d", seed)
          .isGreaterThan(0.95);
    }
  }

  @ParameterizedTest
  @CsvSource({"2", "30", "60"})
  void theQueueIsTheOneThatWasChosen(long targetMillis) {
    VirtualLink link = new VirtualLink(20, 40_000, 200_000);
    link.new Flow(new SharedWindow(() -> Siblings.NONE, targetMillis * 1_000));
    link.runUntil(6 * SECOND);
    link.watchQueue();
    link.runUntil(26 * SECOND);
    assertThat(link.medianQueueMicros()).isBetween(targetMillis * 500, targetMillis * 1_300);
  }

  @ParameterizedTest(name = "{0} Mbit/s, {1} ms, buffer {2} ms")
  @CsvSource({"20, 40, 200", "20, 40, 50", "100, 40, 100"})
  void aRivalThatJoinsHasTheLinkUntilItLeaves(double megabits, long baseMillis, long bufferMillis) {
    VirtualLink link = new VirtualLink(megabits, baseMillis * 1_000, bufferMillis * 1_000);
    VirtualLink.Flow background = link.new Flow(shared);
    link.runUntil(10 * SECOND);
    VirtualLink.Flow rival = link.new Flow(null);
    link.runUntil(15 * SECOND);
    long before = background.received();
    long rivalBefore = rival.received();
    link.runUntil(30 * SECOND);
    double all = 15 * link.bytesPerSecond();
    assertThat((background.received() - before) / all).isLessThan(0.05);
    assertThat((rival.received() - rivalBefore) / all).isGreaterThan(0.85);
    rival.end();
    link.runUntil(33 * SECOND);
    before = background.received();
    link.runUntil(34 * SECOND);
    assertThat((background.received() - before) / link.bytesPerSecond()).isGreaterThan(0.9);
  }

  @Test
  void withoutTimeStampsTheWindowTellsTheRoundTrip() {
    VirtualLink link = new VirtualLink(20, 40_000, 200_000);
    link.withoutTimestamps();
    VirtualLink.Flow background = link.new Flow(shared);
    link.runUntil(5 * SECOND);
    long before = background.received();
    link.runUntil(10 * SECOND);
    assertThat((background.received() - before) / (5 * link.bytesPerSecond())).isGreaterThan(0.95);
    VirtualLink.Flow rival = link.new Flow(null);
    link.runUntil(15 * SECOND);
    before = background.received();
    link.runUntil(30 * SECOND);
    assertThat((background.received() - before) / (15 * link.bytesPerSecond())).isLessThan(0.05);
    rival.end();
    link.runUntil(33 * SECOND);
    before = background.received();
    link.runUntil(34 * SECOND);
    assertThat((background.received() - before) / link.bytesPerSecond()).isGreaterThan(0.9);
  }

  @Test
  void whoComesSecondLeavesTheLinkToTheFirst() {
    VirtualLink link = new VirtualLink(20, 40_000, 200_000);
    VirtualLink.Flow rival = link.new Flow(null);
    link.runUntil(10 * SECOND);
    VirtualLink.Flow background = link.new Flow(shared);
    link.runUntil(15 * SECOND);
    long before = background.received();
    link.runUntil(40 * SECOND);
    assertThat((background.received() - before) / (25 * link.bytesPerSecond())).isLessThan(0.05);
    assertThat(rival.received()).isPositive();
  }

  @Test
  void tenConnectionsToOnePlaceAreAsOneFlow() {
    VirtualLink link = new VirtualLink(20, 40_000, 200_000);
    List<VirtualLink.Flow> flows = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      flows.add(link.new Flow(shared));
    }
    link.runUntil(6 * SECOND);
    long[] before = flows.stream().mapToLong(VirtualLink.Flow::received).toArray();
    link.watchQueue();
    link.runUntil(26 * SECOND);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < 10; i++) {
      double one = flows.get(i).received() - before[i];
      sum += one;
      squares += one * one;
    }
    assertThat(sum / (20 * link.bytesPerSecond())).isGreaterThan(0.95);
    assertThat(sum * sum / (10 * squares)).as("Jain's index").isGreaterThan(0.9);
    assertThat(link.medianQueueMicros()).isLessThan(15_000);
  }

  @Test
  void aPauseOfTheSenderIsNoQueue() {
    VirtualLink link = new VirtualLink(20, 40_000, 200_000);
    VirtualLink.Flow flow = link.new Flow(shared);
    link.runUntil(10 * SECOND);
    for (int i = 0; i < 10; i++) {
      flow.pause(true);
      link.runUntil(link.now() + SECOND);
      flow.pause(false);
      link.runUntil(link.now() + SECOND);
      assertThat(shared.law().yielding()).isFalse();
    }
    assertThat(shared.law().baseRttMicros()).isBetween(40_000L, 41_000L);
  }

  @Test
  void connectionsToSeveralPlacesAreAsOneFlowAndGetAlike() {
    VirtualLink link = new VirtualLink(20, 40_000, 200_000);
    List<SharedWindow> places = new ArrayList<>();
    List<VirtualLink.Flow> flows = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      SharedWindow[] own = new SharedWindow[1];
      own[0] = new SharedWindow(() -> others(places, own[0]), 0);
      places.add(own[0]);
      flows.add(link.new Flow(own[0]));
      flows.add(link.new Flow(own[0]));
      link.runUntil(link.now() + SECOND);
    }
    link.runUntil(link.now() + 15 * SECOND);
    long[] before = flows.stream().mapToLong(VirtualLink.Flow::received).toArray();
    link.watchQueue();
    link.runUntil(link.now() + 20 * SECOND);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < 10; i++) {
      double one = flows.get(i).received() - before[i];
      sum += one;
      squares += one * one;
    }
    assertThat(sum * sum / (10 * squares))
        .as("Jain's index")
        .isGreaterThan(0.75); // 0.27 if each kept what it got first
    assertThat(sum / (20 * link.bytesPerSecond())).isGreaterThan(0.95);
    assertThat(link.medianQueueMicros()).isLessThan(15_000);
  }

  private static Siblings others(List<SharedWindow> places, SharedWindow own) {
    double bytesPerSecond = 0;
    int connections = 0;
    for (SharedWindow place : places) {
      if (place != own) {
        bytesPerSecond += place.law().bytesPerSecond();
        connections += place.active();
      }
    }
    return new Siblings(bytesPerSecond, connections);
  }

  @Test
  void aConnectionThatIsSilentLeavesItsShareToOthers() {
    VirtualLink link = new VirtualLink(20, 40_000, 200_000);
    VirtualLink.Flow silent = link.new Flow(shared);
    VirtualLink.Flow busy = link.new Flow(shared);
    link.runUntil(5 * SECOND);
    silent.pause(true);
    link.runUntil(7 * SECOND);
    long before = busy.received();
    link.runUntil(17 * SECOND);
    assertThat((busy.received() - before) / (10 * link.bytesPerSecond())).isGreaterThan(0.95);
    assertThat(shared.active()).isEqualTo(1);
    assertThat(shared.size()).isEqualTo(2);
  }

  @Test
  void aPathThatBecameLongerIsNoRival() {
    VirtualLink link = new VirtualLink(20, 40_000, 200_000);
    VirtualLink.Flow flow = link.new Flow(shared);
    link.runUntil(10 * SECOND);
    link.setBase(140_000);
    link.runUntil(25 * SECOND);
    long before = flow.received();
    link.runUntil(30 * SECOND);
    assertThat(shared.law().baseRttMicros()).isGreaterThan(135_000);
    assertThat((flow.received() - before) / (5 * link.bytesPerSecond())).isGreaterThan(0.9);
  }

  @Test
  void aSiblingThatTakesHalfIsNoRival() {
    long[] siblings = {0};
    SharedWindow squeezed = new SharedWindow(() -> new Siblings(siblings[0], 1), 0);
    SharedWindow.Member member = squeezed.join(0, 40_000);
    long now = feed(squeezed, member, 0, 100, 2_500_000, 40_500);
    now = feed(squeezed, member, now, 3, 2_500_000, 51_000);
    assertThat(squeezed.law().mode()).isEqualTo(WindowLaw.Mode.STEERING);
    now = feed(squeezed, member, now, 20, 2_500_000, 48_000);
    assertThat(squeezed.law().yielding()).isFalse();
    siblings[0] = 1_250_000;
    now = feed(squeezed, member, now, 50, 1_250_000, 49_000);
    assertThat(squeezed.law().yielding()).isFalse();
    siblings[0] = 0;
    feed(squeezed, member, now, 50, 1_250_000, 49_000);
    assertThat(squeezed.law().yielding()).isTrue();
  }

  @Test
  void whoCarriesLessEachTimeThatItCutsIsNotAlone() {
    SharedWindow cutting = new SharedWindow(() -> Siblings.NONE, 0);
    SharedWindow.Member member = cutting.join(0, 30_000);
    long now = feed(cutting, member, 0, 100, 2_500_000, 30_500);
    now = feed(cutting, member, now, 3, 2_500_000, 41_000);
    assertThat(cutting.law().mode()).isEqualTo(WindowLaw.Mode.STEERING);
    now = feed(cutting, member, now, 4, 2_500_000, 36_000);
    // A queue alone is cut, and one round that carried less may be anything.
    now = feed(cutting, member, now, 1, 2_500_000, 41_000);
    now = feed(cutting, member, now, 1, 2_420_000, 41_000);
    now = feed(cutting, member, now, 1, 2_500_000, 41_000);
    assertThat(cutting.law().yielding()).isFalse();
    now = feed(cutting, member, now, 4, 2_500_000, 36_000);
    now = feed(cutting, member, now, 1, 2_470_000, 41_000);
    assertThat(cutting.law().yielding()).isFalse();
    now = feed(cutting, member, now, 1, 2_400_000, 41_000);
    assertThat(cutting.law().yielding()).isFalse();
    feed(cutting, member, now, 1, 2_350_000, 41_000);
    assertThat(cutting.law().yielding()).isTrue();
  }

  private long fedBytes;

  /** Rounds of 50 ms at that rate, with a round trip. */
  private long feed(
      SharedWindow into,
      SharedWindow.Member member,
      long from,
      int rounds,
      long bytesPerSecond,
      long rttMicros) {
    long now = from;
    for (int i = 0; i < rounds; i++) {
      now += 50_000;
      fedBytes += bytesPerSecond / 20;
      member.sample(now, fedBytes, fedBytes / 1448, 0, rttMicros, 1448);
    }
    assertThat(into.size()).isEqualTo(1);
    return now;
  }
}
