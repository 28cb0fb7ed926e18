package ebb.ledbat.connection;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.CongestionController;
import ebb.ledbat.connection.Timers.Timer;
import ebb.ledbat.recovery.LossDetector;
import ebb.ledbat.recovery.RetransmissionTimer;
import ebb.ledbat.recovery.RttEstimator;
import ebb.ledbat.recovery.SentPackets;
import ebb.ledbat.wire.DelayUnwrapper;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;

/**
 * The sending half of a connection: reads acknowledgements, and knows what is lost and when to look
 * again. What goes into a burst is {@link BurstFiller}'s; handshake and close are the connection's.
 */
final class Sender {
  /** libutp sends this timestamp_difference when it has measured nothing. */
  private static final int NO_DELAY_SAMPLE = Integer.MAX_VALUE;

  private static final long MIN_TAIL_PROBE_MICROS = 10_000;

  /** Waits double, so on a short path the last comes 15 times the first wait after the tail. */
  private static final int MAX_TAIL_PROBES = 4;

  private static final long ZERO_WINDOW_GIVE_UP_MICROS = 600_000_000;
  private static final int MIN_TIMEOUTS_BEFORE_GIVING_UP = 3;

  final SentPackets sent;
  final AckWindow acks;
  final CongestionController congestion;
  final RttEstimator rtt;
  final Pacer pacer = new Pacer();
  final MtuProber mtu;
  final Timers timers;

  private final LedbatConfig config;
  private final LossDetector lossDetector;
  private final RetransmissionTimer retransmissionTimer;
  private final DelayUnwrapper delayUnwrapper = new DelayUnwrapper();
  private final LossDetector.LossHandler lossHandler = this::onPacketLost;

  final SendBuffer buffer;

  private long peerWindowBytes;
  private long maxRateBytesPerSecond;
  private int duplicateAcks;
  private int tailProbes;
  private boolean tailProbeDue;
  private long newestAckedTransmission = -1;
  private long lossesBytes;
  private long lateLossesBytes;

  /** Losses of transmissions before this one have been answered by the controller. */
  private long reducedFor;

  private long lossMicros;
  private long progressMicros;
  private long lastSentMicros = Long.MIN_VALUE;
  private boolean gaveUp;
  private long heldBackBytes;
  private long ackedSinceFillBytes;

  private long bytesSent;
  private long bytesAcked;
  private long bytesRetransmitted;
  private long packetsRetransmitted;
  private long timeouts;
  private long losses;
  private long lastLossMicros = Long.MIN_VALUE;

  Sender(
      LedbatConfig config,
      ChunkPool pool,
      CongestionController congestion,
      Timers timers,
      int firstSeqNr) {
    this.config = config;
    this.congestion = congestion;
    this.timers = timers;
    buffer = new SendBuffer(config.sendBufferBytes(), pool);
    sent = new SentPackets(0x10000L + firstSeqNr);
    acks = new AckWindow(sent);
    lossDetector = new LossDetector(sent);
    rtt = new RttEstimator(config.initialRtoMicros(), config.minRtoMicros(), config.maxRtoMicros());
    retransmissionTimer = new RetransmissionTimer(config.maxRtoMicros());
    mtu =
        new MtuProber(
            config.minDatagramBytes(), config.initialDatagramBytes(), config.maxDatagramBytes());
    maxRateBytesPerSecond = config.maxRateBytesPerSecond();
    congestion.setMssBytes(mssBytes());
  }

  void setMaxRateBytesPerSecond(long bytesPerSecond) {
    maxRateBytesPerSecond = bytesPerSecond;
  }

  // ---- what BurstFiller needs

  int mssBytes() {
    return mtu.datagramBytes() - Packet.HEADER_BYTES;
  }

  /** Bytes that the peer has room for beyond those outstanding. */
  long peerRoomBytes() {
    return peerWindowBytes - sent.outstandingBytes();
  }

  long peerWindowBytes() {
    return peerWindowBytes;
  }

  void updatePacer(long nowMicros) {
    pacer.update(
        congestion.cwndBytes(),
        rtt.smoothedRttMicros(),
        congestion.pacingRateBytesPerSecond(),
        mssBytes(),
        maxRateBytesPerSecond,
        nowMicros);
  }

  /** When the pacer lets go what there is to send. */
  long pacingReadyMicros(long nowMicros) {
    long fitsBytes = congestion.cwndBytes() - sent.pipeBytes();
    long wantedBytes = Math.min(Math.max(buffer.unsentBytes(), mssBytes()), Math.max(fitsBytes, 1));
    return pacer.readyMicros(wantedBytes, nowMicros);
  }

  /** A look at what may be sent begins. */
  void onFill() {
    heldBackBytes = 0;
    ackedSinceFillBytes = 0;
  }

  /**
   * RFC 6817's flightsize before an acknowledgement, as R8 means it: were every acknowledgement
   * followed by sending at once, what the pacer holds back, and what several acknowledgements of
   * one wake-up have freed, would be in flight.
   */
  private long flightSizeBytes() {
    long waitingBytes = Math.min(heldBackBytes + ackedSinceFillBytes, buffer.unsentBytes());
    return sent.outstandingBytes() + waitingBytes;
  }

  /**
   * Notes that only the pacer keeps data from going. RFC 6817 does not pace: without a pacer these
   * bytes would be in flight, and R8's bound on cwnd, meant for senders that have nothing to send,
   * must not see them missing. Otherwise every burst of acknowledgements, which lowers flightsize
   * faster than the pacer raises it, shrinks cwnd. A rate bound that the user set does count as
   * having nothing to send.
   */
  void noteHeldBack(int maxPacketsInFlight) {
    if (pacer.isBoundByMaxRate()) {
      return;
    }
    long packetRoomBytes = (long) (maxPacketsInFlight - sent.count()) * mssBytes();
    long cwndRoomBytes = congestion.cwndBytes() - sent.outstandingBytes();
    heldBackBytes =
        Math.max(
            0,
            Math.min(
                Math.min(buffer.unsentBytes(), peerRoomBytes()),
                Math.min(cwndRoomBytes, packetRoomBytes)));
  }

  /** Notes a packet that goes out for the first time. */
  void onSent(int payloadBytes, boolean fin, boolean probe, long nowMicros) {
    if (sent.isEmpty()) {
      progressMicros = nowMicros;
      if (lastSentMicros != Long.MIN_VALUE) {
        congestion.onIdleEnd(nowMicros - lastSentMicros, nowMicros);
      }
    }
    sent.add(buffer.unsentOffset(), payloadBytes, fin, probe, nowMicros);
    buffer.onSent(payloadBytes);
    bytesSent += payloadBytes;
    if (fin) {
      buffer.onFinSent();
    }
    afterSending(payloadBytes, nowMicros);
  }

  /** Notes a packet that goes out again. */
  void onResent(long position, long nowMicros) {
    tailProbeDue = false;
    sent.resent(position, nowMicros);
    packetsRetransmitted++;
    bytesRetransmitted += sent.payloadBytes(position);
    afterSending(sent.payloadBytes(position), nowMicros);
  }

  private void afterSending(int payloadBytes, long nowMicros) {
    lastSentMicros = nowMicros;
    pacer.spend(payloadBytes);
    // RFC 6298, 5.1: "Every time a packet containing data is sent ..., if the timer is not
    // running, start it".
    if (retransmissionTimer.deadlineMicros() == Timers.NEVER) {
      retransmissionTimer.arm(nowMicros, rtt.rtoMicros());
    }
  }

  // ---- acknowledgements

  /** The SYN, or the answer to it, had to be sent again. */
  void startAfterLostSyn(long nowMicros) {
    rtt.onSynRetransmitted();
    if (bytesSent == 0) {
      // RFC 5681, 3.1: "if the SYN or SYN/ACK is lost, the initial window used by a sender after a
      // correctly transmitted SYN MUST be one segment".
      congestion.onCongestionTimeout(nowMicros);
    }
  }

  /** Sets the window of a peer that just answered the handshake. */
  void setPeerWindowBytes(long bytes) {
    peerWindowBytes = bytes;
  }

  /**
   * Reads the acknowledgement in a plausible packet.
   *
   * @return whether anything was newly acknowledged
   */
  boolean onAck(Packet packet, long nowMicros) {
    int distance = acks.distance(packet);
    if (distance < 0) {
      return false; // Older than one already seen, or libutp's keepalive.
    }
    boolean sameWindow = peerWindowBytes == packet.wndSizeBytes();
    if (peerWindowBytes == 0 && !sameWindow) {
      progressMicros = nowMicros; // The peer was waited for and is back.
      if (!sent.isEmpty()) {
        retransmissionTimer.restart(nowMicros, rtt.rtoMicros()); // The probes had backed off.
      }
    }
    peerWindowBytes = packet.wndSizeBytes();
    long flightSizeBytes = flightSizeBytes();
    AckTally tally = new AckTally();
    long acked = sent.first() + distance;
    for (long position = sent.first(); position < acked; position++) {
      acknowledge(position, tally, nowMicros);
    }
    readSelectiveAck(packet, acked + 1, tally, nowMicros);
    if (packet.selectiveAckBits() > 0) {
      lossDetector.setKnownEnd(acked + 1 + packet.selectiveAckBits());
    } else if (packet.type() == PacketType.ST_STATE) {
      lossDetector.setKnownEnd(Long.MAX_VALUE); // No gap: what follows has not arrived.
    }
    if (distance > 0) {
      sent.advanceTo(acked);
      buffer.onAcked(sent.isEmpty() ? buffer.unsentOffset() : sent.streamOffset(acked));
    }
    if (tally.packets == 0) {
      countDuplicateAck(packet, sameWindow, nowMicros);
      return false;
    }
    onProgress(packet, tally, flightSizeBytes, nowMicros);
    return true;
  }

  private static final class AckTally {
    int packets;
    long bytes;
    long rttMicros = -1;
  }

  private void readSelectiveAck(Packet packet, long firstBit, AckTally tally, long nowMicros) {
    int bits = (int) Math.min(packet.selectiveAckBits(), sent.end() - firstBit);
    for (int bit = 0; bit < bits; bit++) {
      if (packet.isSelectivelyAcked(bit)) {
        acknowledge(firstBit + bit, tally, nowMicros);
      }
    }
  }

  private void acknowledge(long position, AckTally tally, long nowMicros) {
    boolean probe = sent.isProbe(position);
    int bytes = sent.acknowledge(position);
    if (bytes < 0) {
      return;
    }
    tally.packets++;
    tally.bytes += bytes;
    lossDetector.onAcked(position, rtt.minRttMicros(), nowMicros);
    if (sent.transmission(position) > newestAckedTransmission) {
      newestAckedTransmission = sent.transmission(position);
      // RFC 6298, 3 (Karn's algorithm): "RTT samples MUST NOT be made using segments that were
      // retransmitted". Nor of one sent before another that was acknowledged: it arrived long ago,
      // and only now does the peer's selective ack reach that far.
      tally.rttMicros = sent.isRetransmitted(position) ? -1 : nowMicros - sent.sentMicros(position);
    }
    if (probe) {
      mtu.onProbeAcked(nowMicros);
      congestion.setMssBytes(mssBytes());
    } else {
      mtu.onAcked();
    }
  }

  private void onProgress(Packet packet, AckTally tally, long flightSizeBytes, long nowMicros) {
    progressMicros = nowMicros;
    duplicateAcks = 0;
    tailProbes = 0;
    tailProbeDue = false;
    bytesAcked += tally.bytes;
    ackedSinceFillBytes += tally.bytes;
    if (tally.rttMicros >= 0) {
      rtt.onSample(Math.max(1, tally.rttMicros));
      congestion.onRttSample(rtt.latestRttMicros(), nowMicros);
    }
    int delay = packet.timestampDifferenceMicros();
    if (delay != 0 && delay != NO_DELAY_SAMPLE) {
      congestion.onDelaySample(delayUnwrapper.unwrap(delay), rtt.smoothedRttMicros(), nowMicros);
    }
    if (tally.bytes > 0) {
      congestion.onAck(tally.bytes, flightSizeBytes, rtt.smoothedRttMicros(), nowMicros);
    }
    if (sent.isEmpty()) {
      // RFC 6298, 5.2: "When all outstanding data has been acknowledged, turn off the
      // retransmission timer."
      retransmissionTimer.disarm();
      timers.cancel(Timer.LOSS);
    } else {
      // RFC 6298, 5.3: "When an ACK is received that acknowledges new data, restart the
      // retransmission timer".
      retransmissionTimer.restart(nowMicros, rtt.rtoMicros());
      detectLosses(nowMicros);
    }
  }

  /** BEP 29: three duplicate acks mean loss, for peers that acknowledge nothing selectively. */
  private void countDuplicateAck(Packet packet, boolean sameWindow, long nowMicros) {
    if (packet.type() != PacketType.ST_STATE
        || !sameWindow
        || packet.selectiveAckBits() > 0
        || sent.isEmpty()) {
      return;
    }
    if (++duplicateAcks == LossDetector.REORDERING_PACKETS) {
      duplicateAcks = 0;
      long first = sent.first();
      if (sent.count() > LossDetector.REORDERING_PACKETS && !sent.isRetransmitted(first)) {
        onPacketLost(first);
        reportLosses(nowMicros);
      }
    }
  }

  // ---- losses and timers

  private void detectLosses(long nowMicros) {
    lossMicros = nowMicros;
    lossDetector.detect(rtt.smoothedRttMicros(), rtt.latestRttMicros(), nowMicros, lossHandler);
    timers.set(Timer.LOSS, lossDetector.deadlineMicros());
    reportLosses(nowMicros);
  }

  private void onPacketLost(long position) {
    if (sent.isProbe(position)) {
      mtu.onProbeLost(lossMicros);
    } else if (sent.transmission(position) < reducedFor) {
      lateLossesBytes += Math.max(1, sent.payloadBytes(position));
    } else {
      lossesBytes += Math.max(1, sent.payloadBytes(position));
    }
    sent.markLost(position);
  }

  private void reportLosses(long nowMicros) {
    if (lateLossesBytes > 0) {
      // RFC 6675, 5: the window is reduced once for all that was sent before; with more in flight
      // than a selective ack can tell of, some of it is found lost only round trips later.
      congestion.onLateLoss(lateLossesBytes, nowMicros);
      lateLossesBytes = 0;
    }
    if (lossesBytes > 0) {
      if (lastLossMicros == Long.MIN_VALUE
          || nowMicros - lastLossMicros >= rtt.smoothedRttMicros()) {
        lastLossMicros = nowMicros;
        losses++;
      }
      reducedFor = sent.nextTransmission();
      congestion.onLoss(lossesBytes, rtt.smoothedRttMicros(), nowMicros);
      lossesBytes = 0;
    }
  }

  /** Handles the deadlines of this half; {@link #gaveUp()} tells when the peer is past hope. */
  void onTimers(long nowMicros) {
    if (timers.expire(Timer.LOSS, nowMicros)) {
      detectLosses(nowMicros);
    }
    if (timers.expire(Timer.TAIL_PROBE, nowMicros)) {
      probeTail();
    }
    timers.expire(Timer.PACING, nowMicros);
    if (retransmissionTimer.deadlineMicros() <= nowMicros) {
      onRetransmissionTimeout(nowMicros);
    }
    gaveUp |= giveUpAtMicros() <= nowMicros;
  }

  private void onRetransmissionTimeout(long nowMicros) {
    if (sent.isEmpty()) {
      retransmissionTimer.disarm();
      return;
    }
    // RFC 6298, 5.5: "The host MUST set RTO <- RTO * 2".
    retransmissionTimer.onExpiry(nowMicros);
    if (giveUpAtMicros() <= nowMicros) {
      return;
    }
    tailProbes = MAX_TAIL_PROBES;
    tailProbeDue = false;
    if (sent.isAcked(sent.first())) {
      // RFC 2018, 5: "After a retransmit timeout the data sender SHOULD turn off all of the SACKed
      // bits, since the timeout might indicate that the data receiver has reneged." Here only when
      // it must have: it said that it had the very packet that it still waits for.
      bytesAcked -= sent.forgetSelectiveAcks();
    }
    if (peerWindowBytes == 0) {
      sent.markLost(sent.first()); // A probe of a closed window; nothing is known of congestion.
      return;
    }
    timeouts++;
    lossMicros = nowMicros;
    for (long position = sent.first(); position < sent.end(); position++) {
      if (!sent.isAcked(position)) {
        if (sent.isProbe(position)) {
          mtu.onProbeLost(nowMicros);
        }
        sent.markLost(position);
      }
    }
    lossDetector.reset();
    timers.cancel(Timer.LOSS);
    // RFC 6817, 2.4.2: "if no ACKs are received within a CTO: ... cwnd = 1 * MSS"
    congestion.onCongestionTimeout(nowMicros);
    if (mtu.onTimeout(nowMicros)) {
      congestion.setMssBytes(mssBytes());
    }
  }

  /** Between two timeouts too: they are up to a minute apart by then. */
  private long giveUpAtMicros() {
    return retransmissionTimer.backoffCount() < MIN_TIMEOUTS_BEFORE_GIVING_UP
        ? Timers.NEVER
        : progressMicros + giveUpMicros();
  }

  /** A peer that closed its window is waited for longer than one that does not answer. */
  private long giveUpMicros() {
    return peerWindowBytes == 0
        ? Math.max(config.giveUpMicros(), ZERO_WINDOW_GIVE_UP_MICROS)
        : config.giveUpMicros();
  }

  /**
   * RFC 8985's tail loss probe: the newest packet is sent once more, so that its acknowledgement
   * shows what of the tail is missing without waiting for the retransmission timer. RFC 8985 sends
   * one; here, as in RFC 9002, 6.2, probes follow at doubling distance until that timer is due, for
   * the RTO's minimum of a second is a thousand round trips of a short path. They are the oldest
   * packet: libutp does not answer a repetition of one that it holds ahead of a gap. A packet found
   * lost that does not fit into cwnd is a probe as good as any; with the acknowledgements lost that
   * would make room, nothing else would move.
   */
  private void probeTail() {
    boolean newest = tailProbes++ == 0;
    tailProbeDue = true;
    if (sent.lostPackets() > 0) {
      return;
    }
    long position = newest ? sent.end() - 1 : sent.first();
    while (sent.isAcked(position)) {
      position += newest ? -1 : 1;
      if (position < sent.first() || position == sent.end()) {
        return; // A receiver that takes acknowledgements back; the timeout deals with it.
      }
    }
    if (sent.isProbe(position)) {
      mtu.onProbeLost(lastSentMicros);
    }
    sent.markLost(position);
  }

  /** RFC 8985, 7.3: a tail loss probe goes whatever cwnd says. */
  boolean tailProbeDue() {
    return tailProbeDue;
  }

  /** Sets the deadlines that follow from what is outstanding now. */
  void armTimers(boolean pacingBlocks, long pacingReadyMicros, long nowMicros) {
    if (pacingBlocks) {
      timers.set(Timer.PACING, pacingReadyMicros);
    } else {
      timers.cancel(Timer.PACING);
    }
    timers.set(
        Timer.RETRANSMISSION, Math.min(retransmissionTimer.deadlineMicros(), giveUpAtMicros()));
    boolean probeTail =
        tailProbes < MAX_TAIL_PROBES
            && peerWindowBytes > 0 // A closed one has probes of its own, a timeout apart.
            && !sent.isEmpty()
            && !pacingBlocks
            && rtt.smoothedRttMicros() > 0;
    if (probeTail) {
      long waitMicros = Math.max(2 * rtt.smoothedRttMicros(), MIN_TAIL_PROBE_MICROS);
      timers.set(
          Timer.TAIL_PROBE, Math.max(lastSentMicros, progressMicros) + (waitMicros << tailProbes));
    } else {
      timers.cancel(Timer.TAIL_PROBE);
    }
    boolean windowBlocks = sent.isEmpty() && peerRoomBytes() <= 0 && buffer.unsentBytes() > 0;
    if (!windowBlocks) {
      timers.cancel(Timer.PERSIST);
    } else if (!timers.isSet(Timer.PERSIST)) {
      // RFC 9293, 3.8.6.1: "The transmitting host SHOULD send the first zero-window probe when a
      // zero window has existed for the retransmission timeout period".
      timers.set(Timer.PERSIST, nowMicros + rtt.rtoMicros());
    }
  }

  boolean gaveUp() {
    return gaveUp;
  }

  /** Everything that was to be sent, the FIN included, is acknowledged. */
  boolean isDone() {
    return buffer.finSent() && sent.isEmpty();
  }

  /** Every byte is acknowledged; the FIN is sent and is not. */
  boolean onlyFinOutstanding() {
    return buffer.finSent() && sent.outstandingBytes() == 0 && buffer.unsentBytes() == 0;
  }

  void onTooLarge(int datagramBytes, long nowMicros) {
    mtu.onTooLarge(datagramBytes, nowMicros);
    congestion.setMssBytes(mssBytes());
    for (long position = sent.first(); position < sent.end(); position++) {
      boolean refused =
          sent.isProbe(position)
              || sent.payloadBytes(position) + Packet.HEADER_BYTES >= datagramBytes;
      if (refused && !sent.isAcked(position)) {
        sent.markLost(position);
      }
    }
  }

  void release() {
    buffer.release();
    timers.cancelAll();
    retransmissionTimer.disarm();
  }

  // ---- statistics

  long bytesSent() {
    return bytesSent;
  }

  long bytesAcked() {
    return bytesAcked;
  }

  long bytesRetransmitted() {
    return bytesRetransmitted;
  }

  long packetsRetransmitted() {
    return packetsRetransmitted;
  }

  long timeouts() {
    return timeouts;
  }

  long losses() {
    return losses;
  }
}
