package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RivalEvidenceTest {
  private static final double ALONE_MICROS = 5_000;
  private static final double PACKET_MICROS = 1_000;
  private static final long RTT_MICROS = 50_000;

  private final RivalEvidence rivals = new RivalEvidence();
  private long nowMicros = 1_000_000;

  private boolean growth(int fromMicros, int toMicros, boolean own) {
    boolean rival = false;
    for (int queueMicros = fromMicros; queueMicros <= toMicros; queueMicros += 1_000) {
      rival |= rivals.onRound(queueMicros, own, ALONE_MICROS, PACKET_MICROS);
    }
    return rival;
  }

  /** One tooth of a TCP's saw, as the connection beside it sees it. */
  private boolean tooth(boolean hair) {
    return tooth(1, hair);
  }

  /** The same, where so much of the longest queue of late waited at its top. */
  private boolean tooth(double top, boolean hair) {
    boolean rival = window(100, 0.1, hair);
    rival |= window(85, top, hair);
    rival |= window(85, 0, hair);
    rival |= window(100, 0, hair);
    return rival | window(100, 0.1, hair);
  }

  private boolean window(double packets, double queuePart, boolean hair) {
    nowMicros += RTT_MICROS;
    boolean empty = queuePart == 0;
    return rivals.onWindow(packets * 1_000, empty, queuePart, RTT_MICROS, hair, nowMicros);
  }

  @Test
  void aLongQueueThatGrowsAlthoughThisConnectionDoesNotIsARivals() {
    assertThat(growth(15_000, 25_000, false)).isTrue();
  }

  @Test
  void aQueueThatThisConnectionGrewIsNoRivals() {
    assertThat(growth(15_000, 25_000, true)).isFalse();
  }

  @Test
  void aQueueOfWhatTenConnectionsOfThisKindMakeIsNoRivals() {
    assertThat(growth(5_000, (int) (ALONE_MICROS * Math.sqrt(10)), false)).isFalse();
  }

  @Test
  void aLossCountsOnlyWhenTheQueueIsAndWasMoreThanThisConnectionMakes() {
    rivals.onRound(ALONE_MICROS, false, ALONE_MICROS, PACKET_MICROS);
    assertThat(rivals.onLoss(2 * ALONE_MICROS, ALONE_MICROS, false)).isFalse();
    rivals.onRound(2 * ALONE_MICROS, false, ALONE_MICROS, PACKET_MICROS);
    assertThat(rivals.onLoss(1.2 * ALONE_MICROS, ALONE_MICROS, false)).isFalse();
    assertThat(rivals.onLoss(2 * ALONE_MICROS, ALONE_MICROS, false)).isTrue();
  }

  @Test
  void whereThePathLosesByItselfItsOwnGrowthIsWaitedForALittleLonger() {
    rivals.onRound(2 * ALONE_MICROS, true, ALONE_MICROS, PACKET_MICROS);
    rivals.onRound(2 * ALONE_MICROS, false, ALONE_MICROS, PACKET_MICROS);
    assertThat(rivals.onLoss(2 * ALONE_MICROS, ALONE_MICROS, false)).isTrue();
    assertThat(rivals.onLoss(2 * ALONE_MICROS, ALONE_MICROS, true)).isFalse();
    rivals.onRound(2 * ALONE_MICROS, false, ALONE_MICROS, PACKET_MICROS);
    assertThat(rivals.onLoss(2 * ALONE_MICROS, ALONE_MICROS, true)).isTrue();
  }

  @Test
  void threeTeethOfASawWithinTwentySecondsAreATcp() {
    assertThat(tooth(false)).isFalse();
    assertThat(tooth(false)).isFalse();
    assertThat(tooth(false)).isTrue();
  }

  @Test
  void oneToothIsEnoughSoonAfterARivalSeemedGone() {
    assertThat(tooth(true)).isTrue();
  }

  /** A TCP grows until the buffer is full; one of its own kind that joins makes some queue. */
  @Test
  void aToothLowerThanOthersOfLateIsNoTcps() {
    assertThat(tooth(0.7, true)).isFalse();
    assertThat(tooth(0.9, true)).isTrue();
  }

  @Test
  void teethOverAMinuteAreTheLinks() {
    for (int i = 0; i < 4; i++) {
      assertThat(tooth(false)).isFalse();
      nowMicros += 20_000_000;
    }
  }

  @Test
  void aBurstFromNowhereCountsTwice() {
    assertThat(rivals.onBurst(false, nowMicros)).isFalse();
    assertThat(tooth(false)).as("a burst and a tooth").isTrue();
    assertThat(rivals.onBurst(false, nowMicros)).as("it begins anew").isFalse();
    nowMicros += 21_000_000;
    assertThat(rivals.onBurst(false, nowMicros)).as("the first is forgotten").isFalse();
    assertThat(rivals.onBurst(false, nowMicros)).isTrue();
  }

  @Test
  void roomThatWasGivenForAMomentIsOneOfItsKindThatStopped() {
    window(100, 0.1, true);
    window(85, 1, true);
    rivals.onWindow(85_000, true, 0, RTT_MICROS, true, nowMicros + 1_000);
    assertThat(rivals.onWindow(100_000, false, 0.1, RTT_MICROS, true, nowMicros + 20_000))
        .isFalse();
  }

  @Test
  void aWindowThatItLoweredItselfIsNotSqueezed() {
    window(100, 0.1, true);
    rivals.onOwnCut();
    window(85, 1, true);
    window(85, 0, true);
    window(100, 0, true);
    assertThat(window(100, 0.1, true)).isFalse();
  }
}
