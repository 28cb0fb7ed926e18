package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** What tells a queue at rest and a path that varies from a rival's queue. */
class RestAndNoiseTest {
  private static final long RTT_MICROS = 50_000;

  private long nowMicros = 1_000_000;

  private boolean rests(AtRest rest, double[] queueMicros, double seconds) {
    boolean rests = false;
    for (int i = 0; i < seconds * 1e6 / RTT_MICROS; i++) {
      nowMicros += RTT_MICROS;
      double queue = queueMicros[i % queueMicros.length];
      rests |= rest.onRound(queue, 10_000, 1_000, RTT_MICROS, nowMicros);
    }
    return rests;
  }

  @Test
  void aQueueThatHardlyMovesForThreeSecondsIsAtRest() {
    assertThat(rests(new AtRest(), new double[] {3_000, 3_500, 2_600}, 2.9)).isFalse();
    assertThat(rests(new AtRest(), new double[] {3_000, 3_500, 2_600}, 3.1)).isTrue();
  }

  @Test
  void shortDipsAreThoseOfItsKindThatStop() {
    double[] oneInTen = {3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 0};
    assertThat(rests(new AtRest(), oneInTen, 3.1)).isTrue();
  }

  @Test
  void aFewSamplesAreNoRestHoweverLongTheyTake() {
    AtRest rest = new AtRest();
    boolean rests = false;
    for (int i = 0; i < 15; i++) {
      nowMicros += 400_000;
      rests |= rest.onRound(3_000, 10_000, 1_000, RTT_MICROS, nowMicros);
    }
    assertThat(rests).isFalse();
    assertThat(rest.onRound(3_000, 10_000, 1_000, RTT_MICROS, nowMicros + 400_000)).isTrue();
  }

  @Test
  void aSawtoothIsNeverAtRestAndNeitherIsALongQueue() {
    double[] saw = {0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000};
    assertThat(rests(new AtRest(), saw, 30)).isFalse();
    assertThat(rests(new AtRest(), new double[] {11_000}, 30)).isFalse();
  }

  @Test
  void oneOrTwoRoundTripsOfALateHostDoNotMoveTheMedian() {
    RecentMedian recent = new RecentMedian();
    assertThat(recent.add(80_000)).isEqualTo(80_000);
    recent.add(2_000);
    recent.add(2_100);
    recent.add(1_900);
    assertThat(recent.add(2_200)).isEqualTo(2_100);
    assertThat(recent.add(50_000)).as("the first is forgotten").isEqualTo(2_100);
    assertThat(recent.add(9_000)).isEqualTo(2_200);
    assertThat(recent.add(9_000)).as("three of five").isEqualTo(9_000);
  }

  @Test
  void theNoiseOfAPathIsMeasuredByPacketsSentNextToEachOther() {
    DelayNoise noise = new DelayNoise();
    Random random = new Random(1);
    for (int stop = 0; stop < 200; stop++) {
      noise.onDelay(0, true, 0);
      long first = random.nextInt(10_000);
      noise.onDelay(first, false, 0);
      // Order is kept: the second is never much faster.
      noise.onDelay(Math.max(first, random.nextInt(10_000)), false, 0);
    }
    assertThat(noise.micros()).isBetween(5_000L, 16_000L);
  }

  @Test
  void aQueueThatBothPacketsMetIsNoNoise() {
    DelayNoise noise = new DelayNoise();
    for (int stop = 0; stop < 20; stop++) {
      noise.onDelay(0, true, 700);
      noise.onDelay(stop * 1_000, false, 700);
      noise.onDelay(stop * 1_000 + 700, false, 700);
    }
    assertThat(noise.micros()).isZero();
  }
}
