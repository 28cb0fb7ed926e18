package ebb.ledbat.connection;

import ebb.ledbat.congestion.CongestionController;
import ebb.ledbat.connection.Timers.Timer;
import ebb.ledbat.recovery.LossDetector;
import ebb.ledbat.recovery.RttEstimator;
import ebb.ledbat.recovery.SentPackets;
import ebb.ledbat.trace.ControllerEvent;
import ebb.ledbat.trace.LossCause;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import org.jspecify.annotations.Nullable;

/**
 * Which of a sender's packets are lost, and what of that the controller is told: each loss event
 * once. It knows what acknowledgements say; what goes out again, and when, is {@link BurstFiller}'s
 * and {@link SendTimers}'.
 */
final class LossRecovery {
  private final SentPackets sent;
  private final CongestionController congestion;
  private final RttEstimator rtt;
  private final MtuProber mtu;
  private final Withholding withholding;
  private final Timers timers;
  private final LossDetector detector;
  private final LossDetector.LossHandler handler = this::onDetected;
  private final @Nullable Tracer tracer;

  private int duplicateAcks;
  private long lossesBytes;
  private long lateLossesBytes;

  /** Losses of transmissions before this one have been answered by the controller. */
  private long reducedFor;

  /** What {@link #reducedFor} was before the last reduction. */
  private long reducedBefore;

  /** Packets for which the last reduction was and that are not known to have arrived in time. */
  private int suspects;

  private long suspectBytes;
  private long flightBeforeBytes;

  private long lossMicros;
  private long losses;
  private long lastLossMicros = Long.MIN_VALUE;

  LossRecovery(
      SentPackets sent,
      CongestionController congestion,
      RttEstimator rtt,
      MtuProber mtu,
      Withholding withholding,
      Timers timers,
      @Nullable Tracer tracer) {
    this.tracer = tracer;
    this.sent = sent;
    this.congestion = congestion;
    this.rtt = rtt;
    this.mtu = mtu;
    this.withholding = withholding;
    this.timers = timers;
    detector = new LossDetector(sent);
  }

  /** A packet is newly acknowledged, and not marked so yet. */
  void onAcked(long position, long nowMicros) {
    if (detector.onAcked(position, rtt.minRttMicros(), nowMicros)) {
      suspects--;
    }
  }

  /**
   * Takes the last reduction back when all that it was for has arrived after all: nothing was lost,
   * packets only came late. That is the response of RFC 4015, with the detection of RFC 8985.
   *
   * @return what was in flight when the window was reduced, or 0
   */
  long undo(long nowMicros) {
    if (suspects > 0 || suspectBytes == 0) {
      return 0;
    }
    long cwndBytes = congestion.cwndBytes();
    congestion.onSpuriousLoss(suspectBytes, nowMicros);
    suspectBytes = 0;
    reducedFor = reducedBefore;
    if (tracer != null) {
      tracer.decided(ControllerEvent.SPURIOUS_LOSS, cwndBytes, nowMicros);
    }
    return flightBeforeBytes;
  }

  private void forgetSuspects() {
    sent.clearSuspects();
    suspects = 0;
    suspectBytes = 0;
  }

  private void suspect(long position) {
    sent.suspect(position);
    suspects++;
    suspectBytes += Math.max(1, sent.payloadBytes(position));
  }

  /** Notes how far the acknowledgement in {@code packet} tells what has arrived. */
  void onAckRead(Packet packet, long acked) {
    if (packet.selectiveAckBits() > 0) {
      detector.setKnownEnd(acked + 1 + packet.selectiveAckBits());
    } else if (packet.type() == PacketType.ST_STATE) {
      detector.setKnownEnd(Long.MAX_VALUE); // No gap: what follows has not arrived.
    }
  }

  /** Something was newly acknowledged. */
  void onProgress() {
    duplicateAcks = 0;
  }

  /**
   * For peers that acknowledge nothing selectively. BEP 29, packet loss: "when receiving 3
   * duplicate acks, ack_nr + 1 is assumed to have been lost".
   *
   * <p>RFC 5681, 3.2: "The TCP sender SHOULD use the 'fast retransmit' algorithm to detect and
   * repair loss, based on incoming duplicate ACKs."
   */
  void countDuplicateAck(Packet packet, boolean sameWindow, long nowMicros) {
    if (packet.type() != PacketType.ST_STATE
        || !sameWindow
        || packet.selectiveAckBits() > 0
        || sent.isEmpty()) {
      return;
    }
    if (++duplicateAcks == LossDetector.REORDERING_PACKETS) {
      duplicateAcks = 0;
      long first = sent.first();
      if (sent.count() > LossDetector.REORDERING_PACKETS && sent.isInOrder(first)) {
        traceLost(first, LossCause.DUPLICATE_ACKS, nowMicros);
        onPacketLost(first);
        reportLosses(nowMicros);
      }
    }
  }

  /** Looks for losses after an acknowledgement, or when the detector's deadline has passed. */
  void detect(long nowMicros) {
    lossMicros = nowMicros;
    detector.detect(rtt, nowMicros, handler);
    timers.set(Timer.LOSS, detector.deadlineMicros());
    reportLosses(nowMicros);
  }

  private void onDetected(long position) {
    traceLost(position, LossCause.LATER_ACKED, lossMicros);
    onPacketLost(position);
  }

  private void traceLost(long position, LossCause cause, long nowMicros) {
    if (tracer != null && !withholding.isWithheld(position)) {
      tracer.lost(position, cause, nowMicros);
    }
  }

  private void onPacketLost(long position) {
    // RFC 8899, 3: "Loss of a probe packet SHOULD NOT be treated as an indication of congestion and
    // SHOULD NOT trigger a congestion control reaction".
    // RFC 8899, 3: "the PL (or layers above) is REQUIRED to arrange any retransmission and/or
    // repair of any resulting loss."
    if (withholding.isWithheld(position)) {
      sent.markLost(position); // It is missed, as it should be; nothing was lost.
      return;
    }
    if (sent.isProbe(position)) {
      mtu.onProbeLost(lossMicros);
    } else if (sent.transmission(position) < reducedFor) {
      lateLossesBytes += Math.max(1, sent.payloadBytes(position));
      if (sent.transmission(position) >= reducedBefore) {
        suspect(position);
      }
    } else {
      if (lossesBytes == 0) {
        forgetSuspects();
      }
      suspect(position);
      lossesBytes += Math.max(1, sent.payloadBytes(position));
    }
    sent.markLost(position);
  }

  private void reportLosses(long nowMicros) {
    if (lateLossesBytes > 0) {
      // RFC 6675, 5: "An incoming cumulative ACK for a sequence number greater than RecoveryPoint
      // signals the end of loss recovery": the window is reduced once for all that was sent before.
      // With more in flight than a selective ack can tell of, some of it is found lost only round
      // trips later.
      long cwndBytes = congestion.cwndBytes();
      congestion.onLateLoss(lateLossesBytes, nowMicros);
      if (tracer != null) {
        tracer.decided(ControllerEvent.LATE_LOSS, cwndBytes, nowMicros);
      }
      lateLossesBytes = 0;
    }
    if (lossesBytes > 0) {
      if (lastLossMicros == Long.MIN_VALUE
          || nowMicros - lastLossMicros >= rtt.smoothedRttMicros()) {
        lastLossMicros = nowMicros;
        losses++;
      }
      reducedBefore = reducedFor;
      reducedFor = sent.nextTransmission();
      flightBeforeBytes = sent.outstandingBytes();
      detector.onRecovery();
      long cwndBytes = congestion.cwndBytes();
      congestion.onLoss(lossesBytes, rtt.smoothedRttMicros(), nowMicros);
      if (tracer != null) {
        tracer.decided(ControllerEvent.LOSS, cwndBytes, nowMicros);
      }
      lossesBytes = 0;
    }
  }

  /** The retransmission timer ran out: all that is outstanding is taken for lost. */
  void onTimeout(long nowMicros) {
    lossMicros = nowMicros;
    forgetSuspects(); // No acknowledgement takes back a timeout.
    for (long position = sent.first(); position < sent.end(); position++) {
      if (!sent.isAcked(position)) {
        if (sent.isProbe(position)) {
          mtu.onProbeLost(nowMicros);
        }
        traceLost(position, LossCause.TIMEOUT, nowMicros);
        sent.markLost(position);
      }
    }
    detector.reset();
    timers.cancel(Timer.LOSS);
  }

  /** The kernel refused datagrams of this size: what is as large has not left this host. */
  void onTooLarge(int datagramBytes, long nowMicros) {
    for (long position = sent.first(); position < sent.end(); position++) {
      boolean refused =
          sent.isProbe(position)
              || sent.payloadBytes(position) + Packet.HEADER_BYTES >= datagramBytes;
      if (refused && !sent.isAcked(position)) {
        traceLost(position, LossCause.TOO_LARGE, nowMicros);
        sent.markLost(position);
      }
    }
  }

  /**
   * Whether nothing that was sent after the last loss was found is known to have arrived.
   *
   * @param newestAcked the newest transmission that was acknowledged
   */
  boolean isRecovering(long newestAcked) {
    return newestAcked < reducedFor;
  }

  /** Loss events, at most one a round trip. */
  long losses() {
    return losses;
  }
}
