package ebb.net.udp;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.net.udp.SequenceWindow.Arrival;
import org.junit.jupiter.api.Test;

/** Sequence numbers, jitter and time-outs, against what can be worked out by hand. */
class UdpArithmeticTest {
  @Test
  void numbersInOrderAreNextAndNothingIsMissing() {
    SequenceWindow window = new SequenceWindow();
    for (long n = 0; n < 200_000; n++) {
      assertThat(window.onNumber(n)).isEqualTo(Arrival.NEXT);
    }
    assertThat(window.missing()).isZero();
    assertThat(window.next()).isEqualTo(200_000);
  }

  @Test
  void aGapIsMissingUntilItComesLateAndThenADuplicate() {
    SequenceWindow window = new SequenceWindow();
    window.onNumber(0);
    assertThat(window.onNumber(4)).isEqualTo(Arrival.NEXT);
    assertThat(window.missing()).isEqualTo(3);
    assertThat(window.onNumber(2)).isEqualTo(Arrival.LATE);
    assertThat(window.onNumber(2)).isEqualTo(Arrival.DUPLICATE);
    assertThat(window.onNumber(4)).isEqualTo(Arrival.DUPLICATE);
    assertThat(window.missing()).isEqualTo(2);
  }

  @Test
  void whatIsOlderThanTheWindowIsTakenForADuplicate() {
    SequenceWindow window = new SequenceWindow();
    window.onNumber(65_536 + 10);
    assertThat(window.onNumber(10)).isEqualTo(Arrival.DUPLICATE);
    assertThat(window.onNumber(11)).isEqualTo(Arrival.LATE);
  }

  @Test
  void aLeapFarAheadForgetsEverythingBefore() {
    SequenceWindow window = new SequenceWindow();
    for (long n = 0; n < 100; n++) {
      window.onNumber(n);
    }
    window.onNumber(1L << 40);
    assertThat(window.onNumber((1L << 40) - 65_536 + 1)).isEqualTo(Arrival.LATE);
    assertThat(window.missing()).isEqualTo((1L << 40) + 1 - 102);
  }

  @Test
  void jitterIsThatOfRfc3550() {
    Jitter jitter = new Jitter();
    jitter.onArrival(0, 1_000);
    assertThat(jitter.micros()).isZero();
    // D = 1600: J = 0 + (1600 - 0) / 16 = 100.
    jitter.onArrival(10_000, 12_600);
    assertThat(jitter.micros()).isEqualTo(100);
    // D = -1600: J = 100 + (1600 - 100) / 16 = 193.75.
    jitter.onArrival(20_000, 21_000);
    assertThat(jitter.micros()).isEqualTo(194);
    // D = 0: J = 193.75 - 193.75 / 16 = 181.64.
    jitter.onArrival(30_000, 31_000);
    assertThat(jitter.micros()).isEqualTo(182);
  }

  @Test
  void theTimeoutAdaptsAsRfc6298Says() {
    AckTimeout timeout = new AckTimeout(0);
    assertThat(timeout.micros()).isEqualTo(1_000_000);
    // SRTT 100 ms, RTTVAR 50 ms: RTO = 100 + 4 * 50.
    timeout.onSample(100_000);
    assertThat(timeout.micros()).isEqualTo(300_000);
    // RTTVAR = 3/4 * 50 + 1/4 * 100 = 62.5, SRTT = 7/8 * 100 + 1/8 * 200 = 112.5.
    timeout.onSample(200_000);
    assertThat(timeout.micros()).isEqualTo(362_500);
    timeout.onExpired();
    assertThat(timeout.micros()).isEqualTo(725_000);
    for (int i = 0; i < 10; i++) {
      timeout.onExpired();
    }
    assertThat(timeout.micros()).isEqualTo(AckTimeout.MAX_MICROS);
    timeout.onSample(1);
    for (int i = 0; i < 200; i++) {
      timeout.onSample(1);
    }
    assertThat(timeout.micros()).isEqualTo(AckTimeout.MIN_MICROS);
  }

  @Test
  void aFixedTimeoutStaysAsItIs() {
    AckTimeout timeout = new AckTimeout(10_000_000);
    timeout.onSample(5);
    timeout.onExpired();
    assertThat(timeout.micros()).isEqualTo(10_000_000);
  }
}
