package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinkSpeedTest {
  private static final int MSS_BYTES = 1_000;
  private static final long PACKET_MICROS = 800; // 10 Mbit/s
  private static final double LINK = 1_250_000;
  private static final long BASE_MICROS = 20_000;

  private final LinkSpeed speed = new LinkSpeed();
  private long nowMicros = 1_000_000;

  /** Two packets sent so far apart; the second arrives so much later than the first. */
  private void pair(long apartMicros, long laterMicros, long queueMicros) {
    nowMicros += 100_000;
    speed.onAck(1, nowMicros, BASE_MICROS + queueMicros, nowMicros);
    long sentMicros = nowMicros + apartMicros;
    long delayMicros = BASE_MICROS + queueMicros + laterMicros - apartMicros;
    speed.onAck(1, sentMicros, delayMicros, sentMicros);
  }

  private void pairs(int count, long laterMicros) {
    for (int i = 0; i < count; i++) {
      pair(0, laterMicros, 0);
    }
  }

  private double bytesPerSecond() {
    return speed.bytesPerSecond(MSS_BYTES);
  }

  @Test
  void twoPacketsSentAtOnceTellWhatTheLinkTakesForOne() {
    pairs(2, PACKET_MICROS);
    assertThat(bytesPerSecond()).as("two may both be wrong").isZero();
    pairs(1, PACKET_MICROS);
    assertThat(bytesPerSecond()).isEqualTo(LINK);
  }

  @Test
  void whoeverWaitsBeforeThemDoesNotMatterAndWhoComesBetweenThemOnlyOnce() {
    for (int i = 0; i < 20; i++) {
      boolean between = i % 4 != 0;
      pair(0, between ? 5 * PACKET_MICROS : PACKET_MICROS, 1_000L * i);
    }
    assertThat(bytesPerSecond()).isEqualTo(LINK);
  }

  @Test
  void packetsThatWereSentApartTellTheOwnRateAndCountForNothing() {
    for (int i = 0; i < 20; i++) {
      pair(5 * PACKET_MICROS, 5 * PACKET_MICROS, 0);
    }
    assertThat(bytesPerSecond()).isZero();
  }

  @Test
  void twoThatOneAcknowledgementTellsOfAndSmallOnesCountForNothing() {
    for (double packets : new double[] {2, 0.3}) {
      for (int i = 0; i < 20; i++) {
        nowMicros += 100_000;
        speed.onAck(1, nowMicros, BASE_MICROS, nowMicros);
        speed.onAck(packets, nowMicros, BASE_MICROS + PACKET_MICROS, nowMicros);
      }
    }
    assertThat(bytesPerSecond()).isZero();
  }

  @Test
  void aLinkOfWhichAPacketTakesNoLongerThanHostsAreLateIsNotMeasured() {
    pairs(10, 49);
    assertThat(bytesPerSecond()).isZero();
  }

  @Test
  void aLinkThatBecameSlowerIsKnownWithinTenSeconds() {
    pairs(10, PACKET_MICROS);
    nowMicros += 10_000_000;
    pairs(1, 10 * PACKET_MICROS);
    assertThat(bytesPerSecond()).isEqualTo(LINK / 10);
  }
}
