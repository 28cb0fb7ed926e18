package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PathJitterTest {
  private static final long RTT_MICROS = 50_000;
  private static final long BASE_MICROS = 25_000;

  private final PathJitter jitter = new PathJitter();
  private final Random random = new Random(1);
  private long sentMicros = 1_000_000;
  private long arrivedMicros;
  private int pending;

  /** Sends packets; each is late by up to so much, and waits for those before it. */
  private void send(int count, long gapMicros, int lateMicros) {
    long lastSent = 0;
    for (int i = 0; i < count; i++) {
      long arrival = sentMicros + BASE_MICROS + random.nextInt(lateMicros + 1);
      if (pending > 0 && arrival > arrivedMicros) {
        // All that came until then is acknowledged at once; the newest of it was sent last.
        long delay = arrivedMicros - lastSent;
        jitter.onDelay(delay - BASE_MICROS, false);
        jitter.onAck(pending, lastSent, delay, RTT_MICROS);
        pending = 0;
      }
      arrivedMicros = Math.max(arrivedMicros, arrival);
      lastSent = sentMicros;
      pending++;
      sentMicros += gapMicros;
    }
  }

  /** A stop, after which packets were late by so much. */
  private void stop(long lateMicros) {
    jitter.onDelay(lateMicros, true);
    jitter.onDelay(0, false);
  }

  @Test
  void packetsThatComeTogetherTellHowLateThePathIs() {
    // Packets each g, late by up to J: sqrt(pi J g / 2) wait behind a late one on average.
    send(500, 700, 10_000);
    assertThat(jitter.micros()).as("a late host looks like that, too").isZero();
    stop(10_000);
    long often = jitter.micros();
    assertThat(often).isBetween(3_300L, 10_000L);
    send(500, 3_000, 10_000);
    assertThat(jitter.micros()).as("who sends less sees more of it").isBetween(often + 1, 10_000L);
  }

  @Test
  void theDelayJustAfterAStopBoundsIt() {
    send(500, 700, 10_000);
    for (int i = 0; i < 50; i++) {
      jitter.onDelay(3_000, true);
    }
    jitter.onDelay(9_000, false);
    assertThat(jitter.micros()).isEqualTo(3_000);
    stop(100_000);
    assertThat(jitter.micros()).as("packets were sent within so much").isBetween(3_001L, 10_000L);
  }

  @Test
  void whereAStopTellsOfMoreTheNextOneIsWanted() {
    send(500, 3_000, 10_000);
    jitter.onDelay(3_000, true);
    assertThat(jitter.onDelay(0, false)).as("nothing was known").isTrue();
    jitter.onDelay(5_000, true);
    assertThat(jitter.onDelay(0, false)).as("0.3 of 2 ms more").isTrue();
    assertThat(jitter.onDelay(0, false)).as("once").isFalse();
    jitter.onDelay(5_000, true);
    assertThat(jitter.onDelay(0, false)).as("0.3 of 1.4 ms more").isFalse();
  }

  @Test
  void aRivalsQueueKeepsPacketsApartAndTheJitterIsKnownAfterIt() {
    send(500, 700, 10_000);
    stop(10_000);
    long before = jitter.micros();
    alone(1_000, 28_000);
    assertThat(jitter.micros()).isEqualTo(before);
    alone(1_000, 3_000);
    assertThat(jitter.micros()).as("packets that come alone without a queue").isZero();
  }

  /** Packets that are acknowledged one by one, as much later than the least. */
  private void alone(int count, long offsetMicros) {
    for (int i = 0; i < count; i++) {
      sentMicros += 3_000;
      jitter.onDelay(offsetMicros, false);
      jitter.onAck(1, sentMicros, BASE_MICROS + offsetMicros, RTT_MICROS);
    }
  }

  @Test
  void aQueueIsNoJitterForItsPacketsComeOneByOne() {
    for (int i = 0; i < 2_000; i++) {
      sentMicros += 700;
      long queueMicros = i * 37 % 30_000;
      jitter.onDelay(queueMicros, false);
      jitter.onAck(1, sentMicros, BASE_MICROS + queueMicros, RTT_MICROS);
    }
    stop(10_000);
    assertThat(jitter.micros()).isZero();
  }

  @Test
  void whereOnlyAcknowledgementsAreMissingNothingIsLate() {
    for (int i = 0; i < 2_000; i++) {
      sentMicros += 8 * 700;
      jitter.onAck(8, sentMicros, BASE_MICROS + random.nextInt(500), RTT_MICROS);
    }
    stop(10_000);
    assertThat(jitter.micros()).isZero();
  }

  @Test
  void whatWasSentBeforeAPauseDidNotArriveWithWhatCameAfterIt() {
    for (int i = 0; i < 200; i++) {
      sentMicros += 1_000_000;
      jitter.onPause();
      jitter.onAck(4, sentMicros, BASE_MICROS + i % 2 * 20_000, 2_000_000);
    }
    stop(10_000);
    assertThat(jitter.micros()).isZero();
  }

  @Test
  void aPathThatGrowsQuietIsTakenForIt() {
    send(500, 700, 10_000);
    stop(10_000);
    assertThat(jitter.micros()).isPositive();
    send(2_000, 700, 0);
    assertThat(jitter.micros()).isZero();
    send(30, 700, 3_000);
    stop(10_000);
    assertThat(jitter.micros()).as("what was known before is forgotten").isLessThanOrEqualTo(3_000);
  }
}
