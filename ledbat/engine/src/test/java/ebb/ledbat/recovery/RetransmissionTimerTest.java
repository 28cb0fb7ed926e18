package ebb.ledbat.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetransmissionTimerTest {
  private static final long SECOND = 1_000_000;

  private final RetransmissionTimer timer = new RetransmissionTimer(60 * SECOND);

  @Test
  void aNewTimerDoesNotRun() {
    assertThat(timer.deadlineMicros()).isEqualTo(Long.MAX_VALUE);
    assertThat(timer.isExpired(Long.MAX_VALUE - 1)).isFalse();
    assertThat(timer.backoffCount()).isZero();
  }

  @Test
  void sendingStartsTheTimer() {
    // RFC 6298, 5.1: "if the timer is not running, start it running so that it will expire after
    // RTO seconds"
    // RFC 6298, 5: "a segment is never retransmitted too early, i.e., less than one RTO after the
    // previous transmission of that segment."
    timer.arm(5 * SECOND, SECOND);
    assertThat(timer.deadlineMicros()).isEqualTo(6 * SECOND);
    assertThat(timer.isExpired(6 * SECOND - 1)).isFalse();
    assertThat(timer.isExpired(6 * SECOND)).isTrue();
  }

  @Test
  void sendingMoreDoesNotPostponeARunningTimer() {
    // RFC 6298, 5.1: "if the timer is not running"
    timer.arm(5 * SECOND, SECOND);
    timer.arm(5 * SECOND + 900_000, 10 * SECOND);
    assertThat(timer.deadlineMicros()).isEqualTo(6 * SECOND);
  }

  @Test
  void withNothingOutstandingTheTimerIsOff() {
    // RFC 6298, 5.2: "When all outstanding data has been acknowledged, turn off the retransmission
    // timer."
    timer.arm(0, SECOND);
    timer.onExpiry(SECOND);
    timer.disarm();
    assertThat(timer.deadlineMicros()).isEqualTo(RetransmissionTimer.NEVER);
    assertThat(timer.backoffCount()).isZero();
    timer.arm(10 * SECOND, SECOND);
    assertThat(timer.deadlineMicros()).isEqualTo(11 * SECOND);
  }

  @Test
  void anAcknowledgementOfNewDataRestartsTheTimer() {
    // RFC 6298, 5.3: "When an ACK is received that acknowledges new data, restart the
    // retransmission timer"
    timer.arm(0, SECOND);
    timer.restart(700_000, 2 * SECOND);
    assertThat(timer.deadlineMicros()).isEqualTo(2_700_000);
  }

  @Test
  void everyExpiryDoublesTheTimeoutUpToTheMaximum() {
    // BEP 29, timeouts: "For every packet consecutive subsequent packet that times out, the timeout
    // is doubled."
    // RFC 6298, 5.5: "The host MUST set RTO <- RTO * 2 ('back off the timer'). The maximum value
    // discussed in (2.5) above may be used to provide an upper bound"
    // RFC 6817, 2.4.2: "CTO = 2 * CTO"
    timer.arm(0, 3 * SECOND);
    List<Long> intervals = new ArrayList<>();
    long now = timer.deadlineMicros();
    for (int i = 1; i <= 8; i++) {
      timer.onExpiry(now);
      assertThat(timer.backoffCount()).isEqualTo(i);
      intervals.add((timer.deadlineMicros() - now) / SECOND);
      now = timer.deadlineMicros();
    }
    assertThat(intervals).containsExactly(6L, 12L, 24L, 48L, 60L, 60L, 60L, 60L);
  }

  @Test
  void theTimerRunsAgainFromTheMomentTheExpiryIsHandled() {
    // RFC 6298, 5.6: "Start the retransmission timer, such that it expires after RTO seconds (for
    // the value of RTO after the doubling operation outlined in 5.5)."
    timer.arm(0, SECOND);
    timer.onExpiry(SECOND + 40_000);
    assertThat(timer.deadlineMicros()).isEqualTo(3_040_000);
  }

  @Test
  void sendingAfterAnExpiryKeepsTheBackedOffDeadline() {
    timer.arm(0, SECOND);
    timer.onExpiry(SECOND);
    timer.arm(SECOND, SECOND);
    assertThat(timer.deadlineMicros()).isEqualTo(3 * SECOND);
  }

  @Test
  void anAcknowledgementOfNewDataEndsTheBackOff() {
    // RFC 6298, 5: "may result in 'collapsing' RTO back down after it has been subject to
    // exponential back off"
    timer.arm(0, SECOND);
    timer.onExpiry(SECOND);
    timer.onExpiry(3 * SECOND);
    timer.restart(4 * SECOND, SECOND);
    assertThat(timer.backoffCount()).isZero();
    assertThat(timer.deadlineMicros()).isEqualTo(5 * SECOND);
    timer.onExpiry(5 * SECOND);
    assertThat(timer.deadlineMicros()).isEqualTo(7 * SECOND);
  }

  @Test
  void anExpiryOfATimerThatDoesNotRunChangesNothing() {
    timer.onExpiry(SECOND);
    assertThat(timer.deadlineMicros()).isEqualTo(RetransmissionTimer.NEVER);
    assertThat(timer.backoffCount()).isZero();
  }

  @Test
  void aTimeoutBeyondTheMaximumIsCut() {
    timer.arm(0, Long.MAX_VALUE);
    assertThat(timer.deadlineMicros()).isEqualTo(60 * SECOND);
  }

  @Test
  void timesBeforeTheOriginOfTheClockWorkToo() {
    timer.arm(-10 * SECOND, SECOND);
    assertThat(timer.deadlineMicros()).isEqualTo(-9 * SECOND);
    assertThat(timer.isExpired(-9 * SECOND)).isTrue();
  }

  @Test
  void aMaximumOfNothingIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new RetransmissionTimer(0));
  }
}
