package ebb.ledbat.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LossDetectorTest {
  private static final long RTT = 100_000;

  private final SentPackets sent = new SentPackets(1_000);
  private final LossDetector detector = new LossDetector(sent);
  private final List<Long> lost = new ArrayList<>();

  private void send(int packets, long nowMicros) {
    for (int i = 0; i < packets; i++) {
      sent.add(0, 100, false, false, nowMicros);
    }
  }

  private void ack(long position, long nowMicros) {
    sent.acknowledge(position);
    detector.onAcked(position, RTT, nowMicros);
    detector.detect(
        RTT,
        RTT,
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
    detector.detect(RTT, RTT, RTT * 9 / 8, lost::add);
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
}
