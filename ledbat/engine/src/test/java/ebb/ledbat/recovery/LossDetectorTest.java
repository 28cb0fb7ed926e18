package ebb.ledbat.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LossDetectorTest {
  private static final long RTT = 100_000;

  private final SentPackets sent = new SentPackets(1_000);
  private final RttEstimator rtt = new RttEstimator(1_000_000, 1_000_000, 60_000_000);
  private final LossDetector detector = new LossDetector(sent);
  private final List<Long> lost = new ArrayList<>();

  LossDetectorTest() {
    rtt.onSample(RTT);
  }

  private void send(int packets, long nowMicros) {
    for (int i = 0; i < packets; i++) {
      sent.add(0, 100, false, false, nowMicros);
    }
  }

  private void ack(long position, long nowMicros) {
    detector.onAcked(position, RTT, nowMicros);
    sent.acknowledge(position);
    detector.detect(
        rtt,
        nowMicros,
        position1 -> {
          lost.add(position1);
          sent.markLost(position1);
        });
  }

  @Test
  void threeLaterAcknowledgementsMeanLoss() {
    // BEP 29, packet loss: "3 or more packets have been acked past it (through Selective ACK), the
    // packet is assumed to have been lost."
    // BEP 29, packet loss: "should trigger a re-send of packets that had at least 3 packets acked
    // after them."
    // RFC 6817, 2.4.2: "flightsize = flightsize - bytes_newly_acked"
    send(5, 0);
    ack(1_001, RTT);
    ack(1_002, RTT);
    assertThat(lost).isEmpty();
    ack(1_003, RTT);
    assertThat(lost).containsExactly(1_000L);
    assertThat(sent.pipeBytes()).isEqualTo(100);
    assertThat(sent.outstandingBytes()).as("a lost packet stays outstanding").isEqualTo(200);
  }

  @Test
  void packetsOutOfTheSelectiveAcksReachAreNotLostButLeaveThePipe() {
    // RFC 6675, 5: "the data has not been determined to have been dropped in the network."
    send(10, 0);
    // The selective ack reaches to 1,003; of what lies behind it nothing is known.
    detector.setKnownEnd(1_004);
    ack(1_003, RTT);
    sent.resent(1_000, RTT);
    ack(1_000, 2 * RTT);
    assertThat(lost).containsExactly(1_000L, 1_001L, 1_002L);
    assertThat(sent.pipeBytes()).as("1,004 to 1,009 have arrived or are lost").isZero();
    assertThat(sent.outstandingBytes()).isEqualTo(800);
    // It reaches further: what it shows has arrived, what it does not show is lost.
    detector.setKnownEnd(1_008);
    ack(1_005, 3 * RTT);
    assertThat(lost).containsExactly(1_000L, 1_001L, 1_002L, 1_004L, 1_006L, 1_007L);
    assertThat(sent.pipeBytes()).isZero();
    assertThat(sent.outstandingBytes()).isEqualTo(700);
    assertThat(sent.lostPackets()).isEqualTo(5);
    // Sent again, each counts in the pipe once; so does one that had left it unjudged.
    sent.resent(1_001, 3 * RTT);
    sent.resent(1_009, 3 * RTT);
    assertThat(sent.pipeBytes()).isEqualTo(200);
    sent.acknowledge(1_001);
    sent.acknowledge(1_008);
    sent.acknowledge(1_009);
    assertThat(sent.pipeBytes()).isZero();
  }

  @Test
  void aLateTailIsLostAfterNineEighthsOfARoundTrip() {
    // RFC 9002, 6.1.2: "declare an earlier packet lost if it was sent a threshold amount of time in
    // the past."
    // RFC 9002, 6.1.2: "max(kTimeThreshold * max(smoothed_rtt, latest_rtt), kGranularity)"
    // RFC 9002, 6.1.2: "The RECOMMENDED time threshold (kTimeThreshold), expressed as an RTT
    // multiplier, is 9/8."
    send(2, 0);
    ack(1_001, RTT);
    assertThat(lost).isEmpty();
    assertThat(detector.deadlineMicros()).isEqualTo(RTT * 9 / 8);
    detector.detect(rtt, RTT * 9 / 8, lost::add);
    assertThat(lost).containsExactly(1_000L);
  }

  @Test
  void aPacketSentAgainIsLostAgainOnlyWhenLaterOnesArrive() {
    send(4, 0);
    ack(1_003, RTT);
    assertThat(lost).containsExactly(1_000L);
    sent.resent(1_000, RTT);
    send(3, RTT);
    lost.clear();
    ack(1_004, 2 * RTT);
    ack(1_005, 2 * RTT);
    assertThat(lost).as("two later ones; and those of the first flight").doesNotContain(1_000L);
    ack(1_006, 2 * RTT);
    assertThat(lost).contains(1_000L);
  }

  @Test
  void anAcknowledgementThatMayBeForTheFirstTransmissionSaysNothingOfLaterOnes() {
    send(4, 0);
    sent.markLost(1_003);
    sent.resent(1_003, 90_000);
    // Its newest transmission is 10 ms old and the shortest round trip 100 ms.
    ack(1_003, RTT);
    assertThat(lost).isEmpty();
  }

  @Test
  void onAPathThatReordersAPacketHasAQuarterOfARoundTripMore() {
    // RFC 8985, 6.2: "If a never-retransmitted segment that's below RACK.fack is (selectively or
    // cumulatively) acknowledged, it has been delivered out of order."
    // RFC 8985, 6.2: "if some reordering has been observed, then RACK does not trigger fast
    // recovery based on DupThresh."
    // RFC 8985, 3.3.2: "The reordering window SHOULD be set to zero if no reordering has been
    // observed on the connection so far"
    // RFC 8985, 6.2: "remaining = Segment.xmit_ts + RACK.rtt + RACK.reo_wnd - Now()"
    // RFC 8985, 6.2: "For timely loss detection, it is RECOMMENDED that the sender install a
    // reordering timer."
    send(10, 0);
    ack(1_001, RTT);
    ack(1_000, RTT);
    ack(1_003, RTT);
    ack(1_004, RTT);
    ack(1_005, RTT);
    assertThat(lost).as("1,002 may be late, as 1,000 was").isEmpty();
    assertThat(detector.deadlineMicros()).isEqualTo(RTT + RTT / 4);
    detector.detect(rtt, RTT + RTT / 4, lost::add);
    assertThat(lost).containsExactly(1_002L);
  }

  @Test
  void aRepeatedPacketThatArrivesAfterItsSuccessorsIsNoReordering() {
    send(5, 0);
    ack(1_003, RTT);
    assertThat(lost).containsExactly(1_000L);
    sent.resent(1_000, RTT);
    ack(1_000, 2 * RTT);
    send(4, 2 * RTT);
    ack(1_008, 3 * RTT);
    assertThat(lost).as("three later ones are enough, as ever").contains(1_005L);
  }

  /** Lets a packet that is taken for lost at {@code nowMicros} arrive a millisecond later. */
  private void spuriousLoss(long nowMicros) {
    long position = sent.end();
    send(4, nowMicros - 3 * RTT);
    for (int later = 1; later < 4; later++) {
      ack(position + later, nowMicros);
    }
    assertThat(lost).endsWith(position);
    sent.suspect(position);
    sent.resent(position, nowMicros);
    assertThat(detector.onAcked(position, RTT, nowMicros + 1_000)).isTrue();
    sent.acknowledge(position);
    sent.advanceTo(sent.end());
  }

  /** How long after a round trip a packet is taken for lost that three others have overtaken. */
  private long patienceMicros(long nowMicros) {
    long position = sent.end();
    send(4, nowMicros - RTT);
    for (int later = 1; later < 4; later++) {
      ack(position + later, nowMicros);
    }
    long patience = detector.deadlineMicros() - nowMicros;
    ack(position, nowMicros);
    sent.advanceTo(sent.end());
    return patience;
  }

  @Test
  void everyRoundTripWithASpuriousLossAddsAQuarterUpToAWholeOneForSixteenRecoveries() {
    // RFC 8985, 6.2: "Grow the reordering window per round that sees DSACK. Reset the window after
    // 16 DSACK-free recoveries"
    // RFC 8985, 6.2: "Return min(RACK.reo_wnd_mult * RACK.min_RTT / 4, SRTT)"
    // RFC 8985, 3.3.2: "The RACK reordering window MUST be bounded, and this bound SHOULD be SRTT."
    // RFC 8985, 6.2: "The segment was last retransmitted less than RACK.min_rtt ago."
    long now = 10 * RTT;
    for (int times = 2; times <= 6; times++) {
      spuriousLoss(now);
      now += 10 * RTT;
      assertThat(patienceMicros(now)).isEqualTo(Math.min(times * RTT / 4, RTT));
      now += 10 * RTT;
    }
    for (int recovery = 1; recovery < 16; recovery++) {
      detector.onRecovery();
    }
    assertThat(patienceMicros(now)).isEqualTo(RTT);
    detector.onRecovery();
    assertThat(patienceMicros(now + RTT)).as("the path still reorders").isEqualTo(RTT / 4);
    for (int recovery = 0; recovery < 16; recovery++) {
      detector.onRecovery();
    }
    lost.clear();
    send(4, now);
    ack(sent.end() - 1, now + RTT);
    assertThat(lost).as("nothing is given to a path that keeps the order").hasSize(1);
  }
}
